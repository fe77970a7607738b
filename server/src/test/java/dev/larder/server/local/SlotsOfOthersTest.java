package dev.larder.server.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.resp.Command;
import dev.larder.resp.CommandTable;
import dev.larder.resp.ReplyBuffer;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.Request;
import dev.larder.server.Backup;
import dev.larder.server.MemoryFolder;
import dev.larder.server.command.Call;
import dev.larder.server.command.Commands;
import dev.larder.server.command.WaitingClient;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.Store;
import dev.larder.server.store.StoreOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Threads that change or lock keys beside the loops that run commands on them. */
@Timeout(120)
final class SlotsOfOthersTest {

    private static final Bytes STREAM = Bytes.of("s");
    private static final int FILLERS = 3000;

    @TempDir(factory = MemoryFolder.class)
    private Path directory;

    private final AtomicLong now = new AtomicLong(System.currentTimeMillis());
    private LocalStores stores;
    private LocalDatabase.Shared shared;

    @BeforeEach
    void open() {
        StoreOptions options =
                StoreOptions.defaults().withSegmentBytes(4 << 20).withClock(() -> Instant.ofEpochMilli(now.get()));
        stores = LocalStores.open(directory.resolve("data"), 1, options);
        shared = new LocalDatabase.Shared(stores, false);
    }

    @AfterEach
    void close() {
        try (LocalStores closed = stores) {
            shared.close();
            closed.sync();
        }
    }

    private String run(String line) {
        return run(new LocalDatabase(shared), line, null);
    }

    private static String run(LocalDatabase database, String line, @Nullable WaitingClient client) {
        Request request = Request.of(Stream.of(line.split(" ", -1))
                .map(argument -> argument.getBytes(StandardCharsets.UTF_8))
                .toList());
        CommandTable table = CommandTable.standard();
        Command parent = Objects.requireNonNull(table.find(request), line);
        Command child = table.findSubcommand(parent, request);
        Command command = child == null ? parent : child;
        ReplyBuffer reply = new ReplyBuffer();
        database.run(new Call(
                command,
                Objects.requireNonNull(Commands.handler(command)),
                request,
                0,
                new ReplyEncoder(reply),
                client));
        return new String(reply.toByteArray(), StandardCharsets.UTF_8).strip();
    }

    /** A client that waits, and its reply. */
    private static final class Client implements WaitingClient {

        private final FutureTask<String> served = new FutureTask<>(() -> new String(reply(), StandardCharsets.UTF_8));
        private volatile byte @Nullable [] reply;

        private byte[] reply() {
            return Objects.requireNonNull(reply);
        }

        @Override
        public void waits(Place place, long timeoutMillis) {}

        @Override
        public void served(byte[] bytes, boolean uncommitted) {
            reply = bytes;
            served.run();
        }
    }

    /** Regression: the client waited for ever if the cleaner dropped the expired key: its thread serves no clients. */
    @Test
    void aClientIsServedOnceTheCleanerHasDroppedItsKey() throws Exception {
        shared.setActiveExpiry(false);
        run("XADD s 1-1 f v");
        run("XGROUP CREATE s g $");
        Client client = new Client();
        assertThat(run(new LocalDatabase(shared), "XREADGROUP GROUP g c BLOCK 0 STREAMS s >", client))
                .isEmpty();
        run("PEXPIRE s 1000");
        now.addAndGet(5000);
        assertThat(stores.store(0).removeExpired(STREAM))
                .as("as the cleaner does, without the slot")
                .isTrue();
        assertThat(client.served.get(60, TimeUnit.SECONDS)).startsWith("-UNBLOCKED");
        assertThat(shared.waiting()).isZero();
    }

    /** Regression: all writers waited for a thread that opened a stream. */
    @Test
    void writersContinueWhileABackupWaitsForAStream() throws Exception {
        run("XADD s 1-1 f v");
        run("SET k before");
        Path backup = directory.resolve("backup");
        FutureTask<Void> writing = new FutureTask<>(() -> shared.backup(backup), null);
        Thread writer = new Thread(writing);
        Store store = stores.store(0);
        try (dev.larder.server.stream.Stream held = Objects.requireNonNull(store.stream(STREAM))) {
            assertThat(held.length()).isEqualTo(1);
            writer.start();
            await().until(() -> isWaitingForStream(writer));
            FutureTask<String> set = new FutureTask<>(() -> run("SET k behind"));
            new Thread(set).start();
            assertThat(set.get(30, TimeUnit.SECONDS)).isEqualTo("+OK");
            assertThat(writing.isDone()).isFalse();
        }
        writing.get(60, TimeUnit.SECONDS);
        assertThat(Backup.verify(backup)).isPositive();
    }

    private static boolean isWaitingForStream(Thread thread) {
        return thread.getState() == Thread.State.WAITING
                && Arrays.stream(thread.getStackTrace())
                        .anyMatch(frame -> frame.getClassName().endsWith("StreamUse"));
    }

    /** Regression: KEYS replied a key twice that became a stream behind its place among the strings. */
    @Test
    void keysAreListedOnceThoughTheirTypesChange() throws Exception {
        for (int i = 0; i < FILLERS; i++) {
            run("SET filler" + i + " v");
        }
        run("XADD x 1-1 f v");
        run("SET k v");
        AtomicBoolean stopped = new AtomicBoolean();
        CountDownLatch begun = new CountDownLatch(1);
        FutureTask<Void> changing = new FutureTask<>(
                () -> {
                    LocalDatabase database = new LocalDatabase(shared);
                    while (!stopped.get()) {
                        List.of("DEL k", "RENAME x k", "RENAME k x", "SET k v")
                                .forEach(line -> run(database, line, null));
                        begun.countDown();
                    }
                },
                null);
        new Thread(changing).start();
        begun.await();
        LocalDatabase database = new LocalDatabase(shared);
        for (int i = 0; i < 300; i++) {
            List<String> keys =
                    new ArrayList<>(Arrays.asList(run(database, "KEYS *", null).split("\r\n\\$\\d+\r\n", -1)));
            keys.removeFirst();
            assertThat(new HashSet<>(keys)).hasSameSizeAs(keys);
            assertThat(Collections.frequency(keys, "filler0")).isEqualTo(1);
        }
        stopped.set(true);
        changing.get(60, TimeUnit.SECONDS);
    }
}
