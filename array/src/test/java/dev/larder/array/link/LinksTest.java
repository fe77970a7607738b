package dev.larder.array.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.memory.CorruptException;
import dev.larder.memory.StorageException;
import dev.larder.server.transport.TlsIdentity;
import dev.larder.tests.support.FreePorts;
import dev.larder.tests.support.OtherThread;
import dev.larder.tests.support.SelfSignedCertificate;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Links on loopback, between nodes that know each other and strangers. */
final class LinksTest {

    private static final UUID ARRAY = new UUID(7, 7);
    private static final int PATIENCE_SECONDS = 30;

    @TempDir
    private static Path keys;

    private static SelfSignedCertificate own;
    private static SelfSignedCertificate foreign;

    private final List<Links> opened = new ArrayList<>();
    private final BlockingQueue<String> received = new LinkedBlockingQueue<>();
    private final List<InetSocketAddress> addresses = FreePorts.take(2);

    @BeforeAll
    static void makeCertificates() {
        own = SelfSignedCertificate.make(keys, "own");
        foreign = SelfSignedCertificate.make(keys, "foreign");
    }

    @AfterEach
    void close() {
        opened.forEach(Links::close);
    }

    private static Optional<LinkEncryption> encryption(SelfSignedCertificate certificate) {
        TlsIdentity.Source trusted = new TlsIdentity.Source("node-ca", certificate.certificate());
        return Optional.of(LinkEncryption.of(TlsIdentity.read(
                new TlsIdentity.Source("node-cert", certificate.certificate()),
                new TlsIdentity.Source("node-key", certificate.key()),
                Optional.of(trusted))));
    }

    private LinkOptions options(int node, UUID array, Optional<LinkEncryption> encryption) {
        return new LinkOptions(array, node, addresses.get(node), Map.of(1 - node, addresses.get(1 - node)), encryption);
    }

    private Links open(LinkOptions options) {
        Links links = Links.open(options, (node, frame) -> {
            String text = StandardCharsets.UTF_8.decode(frame).toString();
            if (text.equals("nonsense")) {
                throw new CorruptException("nonsense");
            }
            received.add(options.node() + " from " + node + ": " + text);
            return text.startsWith("re: ") ? null : bytes("re: " + text);
        });
        opened.add(links);
        return links;
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private String next() throws InterruptedException {
        return String.valueOf(received.poll(PATIENCE_SECONDS, TimeUnit.SECONDS));
    }

    private void talk(Optional<LinkEncryption> encryption) throws InterruptedException {
        Links zero = open(options(0, ARRAY, encryption));
        zero.send(1, bytes("lost: nobody is there"));
        Links one = open(options(1, ARRAY, encryption));
        await().until(() -> zero.isLinked(1) && one.isLinked(0));
        zero.send(1, bytes("hello"));
        assertThat(next()).isEqualTo("1 from 0: hello");
        assertThat(next()).isEqualTo("0 from 1: re: hello");
        one.send(0, bytes("and you"));
        assertThat(next()).isEqualTo("0 from 1: and you");
        assertThat(next()).isEqualTo("1 from 0: re: and you");
    }

    /** Regression: the largest frame ended the link, and a small one behind it was dropped. The barrier's reads had no answer. */
    @Test
    void whatIsSentBehindTheGreatestFrameArrives() throws InterruptedException {
        Links zero = open(options(0, ARRAY, Optional.empty()));
        Links one = open(options(1, ARRAY, Optional.empty()));
        await().until(() -> zero.isLinked(1) && one.isLinked(0));
        String greatest = "re: " + "g".repeat(Links.FRAME_MAX_BYTES - 4);
        zero.sendIfWritable(1, bytes(greatest));
        zero.send(1, bytes("re: small"));
        assertThat(next()).isEqualTo("1 from 0: " + greatest);
        assertThat(next()).isEqualTo("1 from 0: re: small");
    }

    /** Frames that may be lost do not fill the heap when the other node is slow. */
    @Test
    void aFullLinkDropsWhatMayBeLost() throws InterruptedException {
        CountDownLatch goesOn = new CountDownLatch(1);
        CountDownLatch stands = new CountDownLatch(1);
        Links zero = open(options(0, ARRAY, Optional.empty()));
        Links one = Links.open(options(1, ARRAY, Optional.empty()), (node, frame) -> {
            String text = StandardCharsets.UTF_8.decode(frame).toString();
            if (text.equals("stand")) {
                stands.countDown();
                awaitUninterruptibly(goesOn);
            }
            received.add(text);
            return null;
        });
        opened.add(one);
        await().until(() -> zero.isLinked(1) && one.isLinked(0));
        zero.send(1, bytes("stand"));
        assertThat(stands.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        String large = "l".repeat(Links.FRAME_MAX_BYTES);
        int sent = 64; // more than the system buffers
        for (int i = 0; i < sent; i++) {
            zero.sendIfWritable(1, bytes(large));
        }
        zero.send(1, bytes("last"));
        goesOn.countDown();
        List<String> all = new ArrayList<>();
        while (!all.contains("last") && !all.contains("null")) {
            all.add(next());
        }
        assertThat(all).hasSizeLessThan(sent).startsWith("stand").endsWith("last");
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            if (!latch.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("nobody goes on");
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void nodesOfAnArrayTalk() throws InterruptedException {
        talk(Optional.empty());
    }

    @Test
    void nodesOfAnArrayTalkEncrypted() throws InterruptedException {
        talk(encryption(own));
    }

    @Test
    void aNodeThatComesBackIsLinkedAgain() throws InterruptedException {
        talk(Optional.empty());
        Links one = opened.removeLast();
        one.close();
        await().until(() -> !opened.getFirst().isLinked(1));
        Links again = open(options(1, ARRAY, Optional.empty()));
        await().until(() -> opened.getFirst().isLinked(1) && again.isLinked(0));
        opened.getFirst().send(1, bytes("again"));
        assertThat(next()).isEqualTo("1 from 0: again");
    }

    /** Accepts connections as node 1, and greets. Sends the number of each to {@link #received}. */
    private void greetAll(ServerSocket listening, List<Socket> accepted) {
        try {
            while (true) {
                Socket socket = listening.accept();
                accepted.add(socket);
                DataInputStream in = new DataInputStream(socket.getInputStream());
                in.skipNBytes(in.readInt());
                ByteBuffer greeting = new Greeting(Greeting.VERSION, ARRAY, 1).encode();
                byte[] answer = new byte[greeting.remaining()];
                greeting.get(answer);
                DataOutputStream out = new DataOutputStream(socket.getOutputStream());
                out.writeInt(answer.length);
                out.write(answer);
                received.add("link " + accepted.size());
            }
        } catch (IOException e) {
            received.add("closed");
        }
    }

    /** Regression: the end of the link to the former address began a second link to the new one. */
    @Test
    void aNodeAtAnotherAddressHasOneLink() throws Exception {
        Links zero = open(options(0, ARRAY, Optional.empty()));
        open(options(1, ARRAY, Optional.empty()));
        await().until(() -> zero.isLinked(1));
        List<Socket> accepted = new CopyOnWriteArrayList<>();
        try (ServerSocket listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            var _ = OtherThread.run(() -> greetAll(listening, accepted));
            zero.nodes(Map.of(1, new InetSocketAddress(InetAddress.getLoopbackAddress(), listening.getLocalPort())));
            assertThat(next()).isEqualTo("link 1");
            assertThat(received.poll(1, TimeUnit.SECONDS)).isNull();
            accepted.getFirst().close(); // it is made anew
            assertThat(next()).isEqualTo("link 2");
        } finally {
            for (Socket socket : accepted) {
                socket.close();
            }
        }
    }

    @Test
    void aNodeWhoseProcessHasEndedIsTold() throws InterruptedException {
        talk(Optional.empty());
        Links one = opened.removeLast();
        opened.getFirst().onRefusal((node, times) -> received.add("node " + node + " refuses " + times));
        one.close();
        assertThat(next()).isEqualTo("node 1 refuses 1");
        assertThat(next()).isEqualTo("node 1 refuses 2");
    }

    /** The other machine has vanished without closing its connection. Another machine has its address now. */
    @Test
    void aConnectionThatNobodyClosedIsGivenUp() throws IOException, InterruptedException {
        try (HalfOpenProxy proxy = new HalfOpenProxy(addresses.get(1))) {
            Links zero =
                    open(new LinkOptions(ARRAY, 0, addresses.get(0), Map.of(1, proxy.address()), Optional.empty()));
            open(options(1, ARRAY, Optional.empty()));
            await().atMost(PATIENCE_SECONDS, TimeUnit.SECONDS).until(() -> zero.isLinked(1));
            zero.send(1, bytes("hello"));
            assertThat(next()).isEqualTo("1 from 0: hello");
            assertThat(next()).isEqualTo("0 from 1: re: hello");
            zero.onSilence(node -> received.add("node " + node + " was silent, linked " + zero.isLinked(node)));
            proxy.vanish();
            zero.send(1, bytes("lost"));
            await().atMost(PATIENCE_SECONDS, TimeUnit.SECONDS).until(() -> {
                zero.send(1, bytes("again"));
                return received.contains("1 from 0: again");
            });
            assertThat(received).doesNotContain("1 from 0: lost").contains("node 1 was silent, linked true");
        }
    }

    @Test
    void aFrameThatMakesNoSenseEndsTheLinkAndItIsMadeAnew() throws InterruptedException {
        talk(Optional.empty());
        opened.getFirst().send(1, bytes("nonsense"));
        await().until(() -> {
            opened.getFirst().send(1, bytes("again"));
            return received.contains("1 from 0: again");
        });
    }

    /** Requires that neither side links with the other, in repeated attempts. */
    private void areStrangers(LinkOptions one, LinkOptions other) throws InterruptedException {
        Links first = open(one);
        Links second = open(other);
        for (int i = 0; i < 10; i++) {
            TimeUnit.MILLISECONDS.sleep(100);
            assertThat(first.isLinked(1)).isFalse();
            assertThat(second.isLinked(0)).isFalse();
            first.send(1, bytes("anybody there"));
        }
        assertThat(received).isEmpty();
    }

    @Test
    void aNodeOfAnotherArrayIsAStranger() throws InterruptedException {
        areStrangers(options(0, ARRAY, Optional.empty()), options(1, new UUID(7, 8), Optional.empty()));
    }

    /** Regression: a removed node that ran on filled the logs of all others, with five lines a second. */
    @Test
    void aStrangerThatTriesAgainIsLoggedOnce() throws InterruptedException {
        Queue<String> logged = new ConcurrentLinkedQueue<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord record) {
                if (record.getLevel().equals(Level.WARNING)
                        && record.getMessage().contains("refuses a link")) {
                    logged.add(record.getMessage());
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger("dev.larder.array");
        logger.addHandler(handler);
        try {
            areStrangers(options(0, ARRAY, Optional.empty()), options(1, new UUID(7, 8), Optional.empty()));
        } finally {
            logger.removeHandler(handler);
        }
        assertThat(logged).hasSizeBetween(1, 2); // each of the two nodes refuses the other
    }

    @Test
    void aNodeWithAnotherNumberIsAStranger() throws InterruptedException {
        LinkOptions third = new LinkOptions(ARRAY, 3, addresses.get(1), Map.of(0, addresses.get(0)), Optional.empty());
        areStrangers(options(0, ARRAY, Optional.empty()), third);
    }

    @Test
    void aCertificateOfAnotherAuthorityIsAStrangers() throws InterruptedException {
        areStrangers(options(0, ARRAY, encryption(own)), options(1, ARRAY, encryption(foreign)));
    }

    @Test
    void whoSpeaksPlainlyIsAStrangerWhereLinksAreEncrypted() throws InterruptedException {
        areStrangers(options(0, ARRAY, encryption(own)), options(1, ARRAY, Optional.empty()));
    }

    @Test
    void whoDoesNotGreetIsClosed() throws IOException {
        open(options(0, ARRAY, Optional.empty()));
        try (Socket socket =
                new Socket(addresses.get(0).getAddress(), addresses.get(0).getPort())) {
            socket.setSoTimeout(PATIENCE_SECONDS * 1000);
            socket.getOutputStream().write("PING\r\nPING\r\nPING\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(ended(socket)).isTrue();
        }
        try (Socket socket =
                new Socket(addresses.get(0).getAddress(), addresses.get(0).getPort())) {
            socket.setSoTimeout(PATIENCE_SECONDS * 1000);
            ByteBuffer greeting = new Greeting(Greeting.VERSION + 1, ARRAY, 1).encode(); // of a future version
            socket.getOutputStream()
                    .write(ByteBuffer.allocate(4 + greeting.remaining())
                            .putInt(greeting.remaining())
                            .put(greeting)
                            .array());
            assertThat(ended(socket)).isTrue();
        }
    }

    /** Returns whether the other side closes the connection, and sends nothing before. */
    private static boolean ended(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        try {
            return in.read() < 0;
        } catch (SocketException e) {
            return true; // reset
        }
    }

    @Test
    void anAddressThatIsTakenIsNamed() {
        open(options(0, ARRAY, Optional.empty()));
        assertThatThrownBy(() -> open(options(0, ARRAY, Optional.empty())))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("cannot listen on")
                .hasMessageContaining(Integer.toString(addresses.get(0).getPort()));
    }

    @Test
    void beyondLoopbackLinksAreEncrypted() {
        InetSocketAddress far = new InetSocketAddress("192.0.2.1", 7000);
        assertThatThrownBy(() -> new LinkOptions(ARRAY, 0, addresses.get(0), Map.of(1, far), Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("192.0.2.1");
        assertThatThrownBy(() -> new LinkOptions(ARRAY, 0, far, Map.of(), Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("need TLS");
        assertThat(new LinkOptions(ARRAY, 0, addresses.get(0), Map.of(1, far), encryption(own)).nodes())
                .hasSize(1);
    }

    /** A periodic task runs again after an error. */
    @Test
    void shouldRunATaskAgainAfterAnError() throws InterruptedException {
        CountDownLatch runs = new CountDownLatch(2);
        open(options(0, ARRAY, Optional.empty())).every(1, () -> {
            runs.countDown();
            throw new StackOverflowError("injected");
        });
        assertThat(runs.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }
}
