package dev.larder.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.Codec;
import dev.larder.log.GoneException;
import dev.larder.log.LogOptions;
import dev.larder.log.Position;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.CorruptException;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.LarderException;
import dev.larder.memory.SystemLimitException;
import dev.larder.memory.doubles.FaultyStorage;
import dev.larder.memory.doubles.StorageCall;
import dev.larder.queue.connection.FollowRequest;
import dev.larder.queue.connection.Frame;
import dev.larder.tests.support.SelfSignedCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A replication, over real sockets. */
@Tag("any-storage") // the copy goes over a network
@Timeout(180)
final class QueueReplicationTest {

    record Named(String name) {}

    private static final ReplicationOptions SOON =
            ReplicationOptions.defaults().withPauses(Duration.ofMillis(20), Duration.ofMillis(100));

    @TempDir
    private static Path keys;

    private static SelfSignedCertificate source;
    private static SelfSignedCertificate copy;
    private static Path secret;
    private static Path otherSecret;

    @TempDir
    private Path directory;

    @BeforeAll
    static void makeKeys() throws IOException {
        source = SelfSignedCertificate.make(keys, "source");
        copy = SelfSignedCertificate.make(keys, "copy");
        secret = Files.writeString(keys.resolve("secret"), "0123456789abcdef".repeat(2) + "\n");
        otherSecret = Files.writeString(keys.resolve("other"), "fedcba9876543210".repeat(2) + "\n");
    }

    private static ConnectionSecurity certificates(SelfSignedCertificate own, SelfSignedCertificate trusted) {
        return ConnectionSecurity.certificates(own.certificate(), own.key(), trusted.certificate());
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private LarderQueue source() {
        return TestQueues.open(directory.resolve("source"));
    }

    private Path target() {
        return directory.resolve("target");
    }

    private static LarderQueue filled(LarderQueue queue) {
        queue.append("one");
        queue.appender(Codec.records(Named.class)).append(new Named("two"));
        queue.append("");
        return queue;
    }

    private QueueReplication replicate(int port, ConnectionSecurity security) {
        return replicate(port, security, SOON);
    }

    private QueueReplication replicate(int port, ConnectionSecurity security, ReplicationOptions options) {
        return QueueReplication.start(
                new RemoteQueue(loopback(port), security), target(), TestQueues.options(), options);
    }

    private static void await(ThrowingCallable condition) {
        Awaitility.await().atMost(Duration.ofMinutes(1)).untilAsserted(condition::call);
    }

    private static void awaitCopied(QueueReplication replication, long messages) {
        await(() -> {
            assertThat(replication.ended().toCompletableFuture()).isNotDone();
            assertThat(replication.progress().copied()).isEqualTo(messages);
        });
    }

    private static Throwable failure(QueueReplication replication) throws Exception {
        CompletableFuture<Void> ended = replication.ended().toCompletableFuture();
        try {
            ended.get(60, TimeUnit.SECONDS);
            throw new AssertionError("it has ended without an error");
        } catch (ExecutionException e) {
            return Objects.requireNonNull(e.getCause());
        }
    }

    private void assertIsCopied(LarderQueue queue) {
        try (LarderQueue copied = TestQueues.open(target())) {
            assertThat(TestQueues.texts(copied)).isEqualTo(TestQueues.texts(queue));
            assertThat(copied.schemas()).isEqualTo(queue.schemas());
            assertThat(copied.verify().isSound()).isTrue();
        }
    }

    @Test
    void followsOverMutualTls() throws IOException {
        try (LarderQueue queue = filled(source());
                QueueServer server = QueueServer.start(queue, loopback(0), certificates(source, copy))) {
            try (QueueReplication replication = replicate(server.port(), certificates(copy, source))) {
                awaitCopied(replication, 3);
                queue.append("x".repeat(300_000));
                awaitCopied(replication, 4);
            }
            assertIsCopied(queue);
        }
    }

    @Test
    void followsWithASharedSecret() throws IOException {
        ConnectionSecurity security = ConnectionSecurity.secret(secret);
        try (LarderQueue queue = filled(source());
                QueueServer server = QueueServer.start(queue, loopback(0), security)) {
            try (QueueReplication replication = replicate(server.port(), security)) {
                awaitCopied(replication, 3);
            }
            assertIsCopied(queue);
        }
    }

    @Test
    void aStrangerIsRefused() throws Exception {
        try (LarderQueue queue = filled(source());
                QueueServer secretly = QueueServer.start(queue, loopback(0), ConnectionSecurity.secret(secret));
                QueueServer certified = QueueServer.start(queue, loopback(0), certificates(source, copy));
                QueueServer plain = QueueServer.start(queue, loopback(0))) {
            assertThat(refusal(secretly, ConnectionSecurity.secret(otherSecret)))
                    .hasMessageContaining("its secret differs");
            assertThat(refusal(secretly, ConnectionSecurity.none())).hasMessageContaining("uses TLS");
            assertThat(refusal(certified, ConnectionSecurity.none())).hasMessageContaining("uses TLS");
            assertThat(refusal(certified, certificates(source, source))).hasMessageContaining("TLS was refused");
            assertThat(refusal(certified, certificates(copy, copy))).hasMessageContaining("TLS was refused");
            assertThat(refusal(certified, ConnectionSecurity.secret(secret))).hasMessageContaining("TLS was refused");
            assertThat(refusal(plain, ConnectionSecurity.secret(secret))).hasMessageContaining("TLS was refused");
        }
        assertThat(target()).doesNotExist();
    }

    private Throwable refusal(QueueServer server, ConnectionSecurity security) throws Exception {
        try (QueueReplication replication = replicate(server.port(), security)) {
            Throwable refusal = failure(replication);
            assertThat(refusal).isInstanceOf(LarderException.class).hasMessageContaining(":" + server.port());
            return refusal;
        }
    }

    @Test
    void nothingLeavesTheHostAsItIs() throws Exception {
        InetSocketAddress anywhere = new InetSocketAddress("0.0.0.0", 0);
        try (LarderQueue queue = source()) {
            assertThatThrownBy(() -> QueueServer.start(queue, anywhere))
                    .isInstanceOf(LarderException.class)
                    .hasMessageContaining("need certificates or a secret");
            QueueServer.start(queue, anywhere, ConnectionSecurity.secret(secret))
                    .close();
        }
        InetSocketAddress elsewhere = new InetSocketAddress("192.0.2.1", 7340);
        try (QueueReplication replication = QueueReplication.start(
                new RemoteQueue(elsewhere, ConnectionSecurity.none()), target(), TestQueues.options(), SOON)) {
            assertThat(failure(replication)).hasMessageContaining("need certificates or a secret");
        }
    }

    @Test
    void aSecretIsLong() throws IOException {
        Path brief = Files.writeString(keys.resolve("brief"), "password\n");
        assertThatThrownBy(() -> ConnectionSecurity.secret(brief))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(brief.toString(), "8 bytes");
        assertThatThrownBy(() -> ConnectionSecurity.certificates(brief, source.key(), copy.certificate()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(brief.toString());
        assertThatThrownBy(() -> ConnectionSecurity.certificates(source.certificate(), brief, copy.certificate()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(brief.toString());
    }

    @Test
    void continuesWhenTheSourceIsBack() throws IOException {
        ConnectionSecurity security = ConnectionSecurity.secret(secret);
        try (LarderQueue queue = filled(source())) {
            QueueServer server = QueueServer.start(queue, loopback(0), security);
            int port = server.port();
            try (QueueReplication replication = replicate(port, security)) {
                awaitCopied(replication, 3);
                server.close();
                await(() -> assertThat(replication.progress().trouble()).isPresent());
                assertThat(replication.progress().connected()).isFalse();
                queue.append("meanwhile");
                try (QueueServer again = QueueServer.start(queue, loopback(port), security)) {
                    awaitCopied(replication, 4);
                    assertThat(again.port()).isEqualTo(port);
                    assertThat(replication.progress().trouble()).isEmpty();
                }
            }
            assertIsCopied(queue);
        }
    }

    /** A renewal of a certificate replaces one file after the other, and each is incomplete for a while. */
    @Test
    void continuesOnceTheFilesOfItsCertificateAreWholeAgain() throws IOException {
        Path certificate = Files.copy(copy.certificate(), directory.resolve("certificate.pem"));
        Path key = Files.copy(copy.key(), directory.resolve("key.pem"));
        ConnectionSecurity renewed = ConnectionSecurity.certificates(certificate, key, source.certificate());
        try (LarderQueue queue = filled(source());
                QueueServer server = QueueServer.start(queue, loopback(0), certificates(source, copy))) {
            Files.writeString(certificate, Files.readString(certificate).substring(0, 100));
            try (QueueReplication replication = replicate(server.port(), renewed)) {
                awaitTrouble(replication, certificate + ": holds no certificate in PEM");
                Files.delete(certificate);
                awaitTrouble(replication, certificate + ": cannot be read");
                Files.copy(copy.certificate(), certificate);
                Files.copy(source.key(), key, StandardCopyOption.REPLACE_EXISTING);
                awaitTrouble(replication, key + ": the private key does not match the certificate in " + certificate);
                Files.copy(copy.key(), key, StandardCopyOption.REPLACE_EXISTING);
                awaitCopied(replication, 3);
            }
        }
    }

    @Test
    void continuesOnceTheSecretIsWholeAgain() throws IOException {
        Path renewed = Files.copy(secret, directory.resolve("secret"));
        ConnectionSecurity security = ConnectionSecurity.secret(renewed);
        try (LarderQueue queue = filled(source());
                QueueServer server = QueueServer.start(queue, loopback(0), ConnectionSecurity.secret(secret))) {
            Files.writeString(renewed, "01234");
            try (QueueReplication replication = replicate(server.port(), security)) {
                awaitTrouble(replication, renewed + ": the secret has 5 bytes");
                Files.copy(secret, renewed, StandardCopyOption.REPLACE_EXISTING);
                awaitCopied(replication, 3);
            }
        }
    }

    private static void awaitTrouble(QueueReplication replication, String text) {
        await(() -> {
            assertThat(replication.ended().toCompletableFuture()).isNotDone();
            assertThat(replication.progress().trouble())
                    .hasValueSatisfying(trouble -> assertThat(trouble).contains(text));
        });
    }

    @Test
    void saysHowFarBehindTheCopyIs() throws IOException {
        try (LarderQueue queue = filled(source());
                QueueServer server = QueueServer.start(queue, loopback(0));
                QueueReplication replication = replicate(server.port(), ConnectionSecurity.none())) {
            await(() -> {
                ReplicationProgress progress = replication.progress();
                assertThat(progress.connected()).isTrue();
                assertThat(progress.lagMessages()).hasValue(0);
                assertThat(progress.lagBytes()).hasValue(0);
                assertThat(progress.lagTime()).isPresent();
                assertThat(progress.durablePosition()).isPresent();
            });
        }
    }

    /** The source drops what the copy still lacks. */
    @Test
    void aCopyThatIsTooFarBehindLearnsWhereTheSourceBegins() throws Exception {
        try (LarderQueue queue = filled(source())) {
            QueueCopy.copy(queue, target(), TestQueues.options(), false, () -> true);
            for (int i = 0; i < 60; i++) {
                queue.append("x".repeat(200_000));
            }
            assertThat(queue.dropBefore(queue.info().endPosition())).isPositive();
            try (QueueServer server = QueueServer.start(queue, loopback(0));
                    QueueReplication replication = replicate(server.port(), ConnectionSecurity.none())) {
                assertThat(failure(replication))
                        .isInstanceOf(GoneException.class)
                        .hasMessage(target() + ": the copy is too far behind: its next message is message 3 of the"
                                + " source, and the source begins at message " + firstSequence(queue)
                                + ": copy into a new directory");
            }
        }
    }

    /** The message that the copy continues from is the last of a dropped segment; the copy has it, and lacks the next one. */
    @Test
    void continuesWhereTheSourceHasDroppedTheLastMessageThatTheCopyHas() throws IOException {
        try (LarderQueue queue = filled(source());
                QueueServer server = QueueServer.start(queue, loopback(0))) {
            long last = 0;
            while (Position.segment(last) == 0) {
                QueueCopy.copy(queue, target(), TestQueues.options(), false, () -> true);
                last = queue.append("x".repeat(200_000));
            }
            assertThat(queue.dropBefore(last)).isOne();
            ReplicationOptions named = SOON.withName("copy");
            try (QueueReplication replication = replicate(server.port(), ConnectionSecurity.none(), named)) {
                awaitCopied(replication, 1);
                long position = last;
                await(() -> assertThat(place(queue, "copy")).isEqualTo(position));
            }
            assertThat(QueueCopy.copy(queue, target(), TestQueues.options(), false, () -> true))
                    .isZero();
        }
    }

    private static long firstSequence(LarderQueue queue) {
        try (Tailer tailer = queue.tailer()) {
            return tailer.sequence();
        }
    }

    @Test
    void anotherQueueIsRefused() throws Exception {
        try (LarderQueue queue = filled(source());
                LarderQueue other = filled(TestQueues.open(directory.resolve("other")));
                QueueServer server = QueueServer.start(other, loopback(0))) {
            QueueCopy.copy(queue, target(), TestQueues.options(), false, () -> true);
            try (QueueReplication replication = replicate(server.port(), ConnectionSecurity.none())) {
                assertThat(failure(replication))
                        .isInstanceOf(LarderException.class)
                        .hasMessageContainingAll(
                                queue.info().identity().toString(),
                                other.info().identity().toString());
            }
        }
    }

    @Test
    void aTargetWithMessagesOfItsOwnIsRefused() throws Exception {
        try (LarderQueue queue = filled(source());
                QueueServer server = QueueServer.start(queue, loopback(0))) {
            filled(TestQueues.open(target())).close();
            try (QueueReplication replication = replicate(server.port(), ConnectionSecurity.none())) {
                assertThat(failure(replication)).hasMessageContainingAll(target().toString(), "messages of its own");
            }
        }
    }

    @Test
    void aNamedTailerOfTheSourceStaysWhereTheCopyIsDurable() throws IOException {
        try (LarderQueue queue = source();
                QueueServer server = QueueServer.start(queue, loopback(0))) {
            queue.append("one");
            long second = queue.append("two");
            ReplicationOptions named = SOON.withName("copy");
            try (QueueReplication replication = replicate(server.port(), ConnectionSecurity.none(), named)) {
                await(() -> {
                    assertThat(replication.progress().durablePosition()).hasValue(second);
                    assertThat(queue.tailers()).singleElement().satisfies(tailer -> {
                        assertThat(tailer.name()).isEqualTo("copy");
                        assertThat(tailer.position()).isEqualTo(second);
                    });
                });
            }
        }
    }

    @Test
    void aNameIsRefusedWhereTheQueueIsServedReadOnly() throws Exception {
        filled(source()).close();
        LogOptions readOnly = TestQueues.options().withReadOnly(true);
        try (LarderQueue queue = LarderQueue.open(directory.resolve("source"), readOnly);
                QueueServer server = QueueServer.start(queue, loopback(0));
                QueueReplication replication =
                        replicate(server.port(), ConnectionSecurity.none(), SOON.withName("copy"))) {
            assertThat(failure(replication)).hasMessageContainingAll("refuses", "read-only");
        }
    }

    /** A predecessor whose connection has not ended yet must not end its successor. */
    @Test
    void waitsForANameThatAnotherHolds() throws IOException {
        try (LarderQueue queue = filled(source());
                QueueServer server = QueueServer.start(queue, loopback(0))) {
            Tailer holder = queue.tailer("copy", Commit.EXPLICIT);
            try (QueueReplication replication =
                    replicate(server.port(), ConnectionSecurity.none(), SOON.withName("copy"))) {
                await(() -> assertThat(replication.progress().trouble())
                        .hasValueSatisfying(text -> assertThat(text).contains("refuses for now")));
                holder.close();
                awaitCopied(replication, 3);
            }
        }
    }

    /**
     * If a tailer moved to any position that its follower names, the source could drop records that the copy lacks. Or
     * the name could be left at a place where no tailer can open it.
     */
    @Test
    void anAcknowledgementOfWhatTheCopyCannotHaveIsRefused() throws IOException {
        try (LarderQueue queue = source();
                QueueServer server = QueueServer.start(queue, loopback(0))) {
            long first = queue.append("one");
            long second = queue.append("two");
            long third = queue.append("three");
            long[] wrong = {-1, 0, first, second + 8, third + 8, third + (1L << 40), Long.MAX_VALUE};
            for (int i = 0; i < wrong.length; i++) {
                String name = "copy" + i;
                assertThat(answer(queue, server.port(), name, third, second, wrong[i]))
                        .as("the answer to %d, behind %d", wrong[i], second)
                        .contains("the copy acknowledges position");
                assertThat(place(queue, name)).as("the tailer's place").isEqualTo(second);
                queue.tailer(name).close();
            }
        }
    }

    /** Follows up to a message, acknowledges a right and a wrong position, and returns the error. */
    private static String answer(LarderQueue queue, int port, String name, long last, long right, long wrong)
            throws IOException {
        try (Socket client = new Socket(loopback(0).getAddress(), port)) {
            OutputStream out = client.getOutputStream();
            new FollowRequest(SourceDescription.NONE, CopyScope.COMMITTED, 0, name)
                    .frame()
                    .write(out);
            InputStream in = client.getInputStream();
            Frame frame = Frame.required(in, "the source");
            while (frame.kind() != Frame.Kind.MESSAGE || frame.position() < last) {
                frame = Frame.required(in, "the source");
            }
            new Frame(Frame.Kind.ACKNOWLEDGE, right).write(out);
            await(() -> assertThat(place(queue, name)).isEqualTo(right));
            new Frame(Frame.Kind.ACKNOWLEDGE, wrong).write(out);
            while (frame.kind() != Frame.Kind.ERROR) {
                frame = Frame.required(in, "the source");
            }
            return frame.text();
        }
    }

    private static long place(LarderQueue queue, String name) {
        return queue.tailers().stream()
                .filter(tailer -> tailer.name().equals(name))
                .findFirst()
                .orElseThrow()
                .position();
    }

    @Test
    void aServerThatIsNoQueueIsTold() throws Exception {
        try (ServerSocket web = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread answering = Thread.ofPlatform().daemon().start(() -> answer(web));
            try (QueueReplication replication = replicate(web.getLocalPort(), ConnectionSecurity.none())) {
                assertThat(failure(replication))
                        .isInstanceOf(CorruptException.class)
                        .hasMessageContaining("not a frame");
            }
            answering.join();
        }
    }

    private static void answer(ServerSocket web) {
        try (Socket client = web.accept()) {
            assertThat(client.getInputStream().read(new byte[1024])).isPositive();
            client.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void aClientThatIsNoFollowerIsTold() throws IOException {
        try (LarderQueue queue = source();
                QueueServer server = QueueServer.start(queue, loopback(0));
                Socket client = new Socket(loopback(0).getAddress(), server.port())) {
            client.getOutputStream()
                    .write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            String answer = new String(client.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            assertThat(answer).contains("not a frame");
        }
    }

    @Test
    void continuesOnceTheDiskOfTheCopyHasRoomAgain() throws IOException {
        FaultyStorage storage =
                new FaultyStorage(HookedOptions.of(TestQueues.options()).storage());
        LogOptions options = HookedOptions.withStorage(TestQueues.options(), storage);
        try (LarderQueue queue = filled(source());
                QueueServer server = QueueServer.start(queue, loopback(0))) {
            RemoteQueue remote = new RemoteQueue(loopback(server.port()), ConnectionSecurity.none());
            try (QueueReplication replication = QueueReplication.start(remote, target(), options, SOON)) {
                awaitCopied(replication, 3);
                fillTheDisk(storage, queue, replication);
                storage.heal();
                await(() -> {
                    assertThat(replication.progress().connected()).isTrue();
                    assertThat(replication.progress().lagMessages()).hasValue(0);
                });
            }
            assertIsCopied(queue);
        }
    }

    private void fillTheDisk(FaultyStorage storage, LarderQueue queue, QueueReplication replication) {
        storage.failFrom(
                StorageCall.ALLOCATE,
                1,
                () -> new DiskFullException(target() + ": cannot reserve 4096 bytes: No space left on device"));
        for (int i = 0; i < 20; i++) {
            queue.append("x".repeat(500_000));
        }
        await(() -> assertThat(replication.progress().trouble())
                .hasValueSatisfying(text -> assertThat(text).contains("No space left")));
        assertThat(replication.ended().toCompletableFuture()).isNotDone();
    }

    /** A stage of its end runs on its own thread, which joined itself. */
    @Test
    void continuesOnceThereAreDescriptorsAgain() throws IOException {
        FaultyStorage storage =
                new FaultyStorage(HookedOptions.of(TestQueues.options()).storage());
        LogOptions options = HookedOptions.withStorage(TestQueues.options(), storage);
        try (LarderQueue queue = filled(source());
                QueueServer server = QueueServer.start(queue, loopback(0))) {
            storage.failFrom(StorageCall.OPEN, 1, () -> new SystemLimitException("too many open files"));
            try (QueueReplication replication = QueueReplication.start(
                    new RemoteQueue(loopback(server.port()), ConnectionSecurity.none()), target(), options, SOON)) {
                awaitTrouble(replication, "too many open files");
                storage.heal();
                awaitCopied(replication, 3);
            }
            assertIsCopied(queue);
        }
    }

    @Test
    void isClosedByAStageOfItsOwnEnd() throws Exception {
        try (LarderQueue queue = filled(source());
                QueueServer server = QueueServer.start(queue, loopback(0), ConnectionSecurity.secret(secret))) {
            QueueReplication replication = replicate(server.port(), ConnectionSecurity.secret(otherSecret));
            CompletableFuture<Void> closed = replication
                    .ended()
                    .handle((nothing, error) -> {
                        replication.close();
                        return (Void) null;
                    })
                    .toCompletableFuture();
            closed.get(60, TimeUnit.SECONDS);
            replication.close();
        }
    }
}
