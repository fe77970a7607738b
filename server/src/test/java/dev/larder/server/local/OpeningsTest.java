package dev.larder.server.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.Access;
import dev.larder.memory.StorageFile;
import dev.larder.memory.SystemStorage;
import dev.larder.memory.doubles.DelegatingStorage;
import dev.larder.resp.Command;
import dev.larder.resp.CommandTable;
import dev.larder.resp.ReplyBuffer;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.Request;
import dev.larder.server.MemoryFolder;
import dev.larder.server.command.Call;
import dev.larder.server.command.Commands;
import dev.larder.server.command.NotReadyException;
import dev.larder.server.store.StoreOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The event loop, which is the test's thread, makes no files. Another thread makes them, and no more than are needed. */
@Timeout(60)
final class OpeningsTest {

    private static final int DATABASES = 8;
    private static final String SLOW = "5";

    @TempDir(factory = MemoryFolder.class)
    private Path directory;

    private final List<Path> madeByLoop = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch opening = new CountDownLatch(1);
    private final CountDownLatch mayOpen = new CountDownLatch(1);
    private boolean isLoop;
    private LocalStores stores;
    private LocalDatabase.Shared shared;
    private ReadyDatabase database;

    /** Records which files the loop makes, and makes each thread wait that opens a certain database. */
    private final class NotingStorage extends DelegatingStorage {

        private final Thread loop = Thread.currentThread();

        NotingStorage() {
            super(SystemStorage.system());
        }

        @Override
        public Optional<StorageFile> create(Path file, Access access) {
            if (Thread.currentThread().equals(loop) && isLoop) {
                madeByLoop.add(file);
            }
            if (directory.relativize(file).startsWith(SLOW)) {
                opening.countDown();
                awaitQuietly(mayOpen);
            }
            return super.create(file, access);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void open() {
        NotingStorage storage = new NotingStorage();
        stores = LocalStores.open(
                directory,
                DATABASES,
                StoreOptions.defaults()
                        .withSegmentBytes(4 << 20)
                        .withStorage(HookedOptions.withStorage(LogOptions.defaults(), storage), storage));
        shared = new LocalDatabase.Shared(stores, false);
        database = new ReadyDatabase(new LocalDatabase(shared), stores, new Preparations());
    }

    @AfterEach
    void close() {
        mayOpen.countDown();
        try (LocalStores closed = stores) {
            shared.close();
            closed.sync();
        }
        assertThat(madeByLoop).isEmpty();
    }

    private static Call call(int number, String... arguments) {
        Request request = Request.of(Arrays.stream(arguments)
                .map(argument -> argument.getBytes(StandardCharsets.ISO_8859_1))
                .toList());
        CommandTable table = CommandTable.standard();
        Command parent = Objects.requireNonNull(table.find(request), arguments[0]);
        Command child = parent.subcommands().isEmpty() ? null : table.findSubcommand(parent, request);
        Command command = child == null ? parent : child;
        return new Call(
                command,
                Objects.requireNonNull(Commands.handler(command), arguments[0]),
                request,
                number,
                new ReplyEncoder(new ReplyBuffer()));
    }

    private static Call call(String line) {
        return call(0, line.split(" ", -1));
    }

    private static String reply(Call call) {
        return new String(((ReplyBuffer) call.reply().output()).toByteArray(), StandardCharsets.ISO_8859_1);
    }

    private void onLoop(Runnable command) {
        isLoop = true;
        try {
            command.run();
        } finally {
            isLoop = false;
        }
    }

    /** Runs a command as the loop does: again, once another thread has prepared it. Returns how often that was. */
    private int run(Runnable command) {
        int prepared = 0;
        while (true) {
            try {
                onLoop(command);
                stores.awaitDeletions(); // the thread makes streams, too
                return prepared;
            } catch (NotReadyException e) {
                e.preparation().run();
                prepared++;
            }
        }
    }

    private String run(Call call) {
        run(() -> database.run(call));
        return reply(call);
    }

    private List<String> transact(Call... calls) {
        run(() -> database.transact(
                List.of(calls),
                List.of(),
                call -> true,
                new ReplyEncoder(new ReplyBuffer()),
                () -> Arrays.stream(calls).forEach(database::runWithin)));
        return Arrays.stream(calls).map(OpeningsTest::reply).toList();
    }

    private List<String> transact(String... lines) {
        return transact(Arrays.stream(lines).map(OpeningsTest::call).toArray(Call[]::new));
    }

    private static String[] times(int count, String... lines) {
        return Stream.generate(() -> Arrays.stream(lines))
                .limit(count)
                .flatMap(one -> one)
                .toArray(String[]::new);
    }

    private long streams() {
        try (Stream<Path> folders = Files.list(directory.resolve("0/streams"))) {
            return folders.filter(folder -> folder.getFileName().toString().matches("[0-9]+"))
                    .count();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aTransactionMakesNoMoreStreamsThanItNeeds() {
        run(call("XADD s 1 f v"));
        long made = streams();
        List<String> lines = new ArrayList<>(List.of(times(9, "SET k v", "XADD s * f v")));
        lines.add("XADD t 1 f v"); // takes one that is made ahead
        assertThat(transact(lines.toArray(String[]::new))).noneMatch(reply -> reply.startsWith("-"));
        assertThat(transact(times(9, "XADD u * f v"))).noneMatch(reply -> reply.startsWith("-"));
        assertThat(streams()).isEqualTo(made);
        transact(times(9, "DEL s", "XADD s 1 f v", "XADD s 2 f v")); // each is another stream
        assertThat(run(call("XLEN s"))).isEqualTo(":2\r\n");
    }

    @Test
    void commandsThatNeedAStreamMakeNone() throws IOException {
        assertThat(run(call("XADD s NOMKSTREAM MAXLEN 5 * f v"))).isEqualTo("$-1\r\n");
        assertThat(run(call("XTRIM s MAXLEN ~ 3"))).isEqualTo(":0\r\n");
        assertThat(run(call("XGROUP CREATE s g 0"))).startsWith("-ERR The XGROUP subcommand requires the key");
        assertThat(run(call("XADD s 0-0 f v"))).startsWith("-ERR The ID");
        assertThat(transact("XADD s NOMKSTREAM * f v", "XGROUP CREATE s g 0", "COPY s t", "XTRIM s MAXLEN 0"))
                .hasSize(4);
        run(call("SET k v"));
        assertThat(run(call("XADD k * f v"))).startsWith("-WRONGTYPE");
        assertThat(directory.resolve("0/streams")).doesNotExist();
    }

    @Test
    void aTransactionCopiesStreamsIntoThoseThatAnotherThreadHasMade() {
        run(call("XADD s 1 f v"));
        String dump = run(call("DUMP s"));
        dump = dump.substring(dump.indexOf('\n') + 1, dump.length() - 2);
        List<Call> calls = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            calls.add(call(0, "COPY", "s", "copy" + i));
            calls.add(call(0, "COPY", "s", "copy", "DB", "1", "REPLACE"));
            calls.add(call(0, "MOVE", "copy" + i, "2"));
            calls.add(call(3, "RESTORE", "back" + i, "0", dump));
        }
        calls.add(call(4, "XADD", "new", "1", "f", "v"));
        calls.add(call(4, "COPY", "new", "newer"));
        assertThat(transact(calls.toArray(Call[]::new))).noneMatch(reply -> reply.startsWith("-"));
        assertThat(run(call(2, "XLEN", "copy1"))).isEqualTo(":1\r\n");
        assertThat(run(call(3, "XLEN", "back1"))).isEqualTo(":1\r\n");
        assertThat(run(call(4, "XLEN", "newer"))).isEqualTo(":1\r\n");
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("databases"))
                    .toList();
        }
    }

    @Test
    void anotherThreadWritesTheFileOfAnExchange() throws IOException {
        run(call("SET k zero"));
        run(call(1, "SET", "k", "one"));
        Call swap = call("SWAPDB 0 1");
        int prepared = run(() -> {
            assertThat(files(".next")).isLessThan(2);
            database.run(swap);
        });
        assertThat(prepared).isOne();
        assertThat(files()).containsExactly("databases");
        assertThat(run(call("GET k"))).contains("one");
        assertThat(transact("SWAPDB 0 1", "SWAPDB 0 0", "SWAPDB 0 1", "SWAPDB 1 2", "SWAPDB 0 99"))
                .containsExactly("+OK\r\n", "+OK\r\n", "+OK\r\n", "+OK\r\n", "-ERR DB index is out of range\r\n");
        assertThat(run(call(2, "GET", "k"))).contains("zero");
        assertThat(files()).containsExactly("databases");
        stores.folders().makeReady(0, 1);
        stores.folders().makeReady(1, 2); // no command uses the first
        assertThat(files()).hasSize(2);
        run(call("SWAPDB 3 2"));
        assertThat(files()).containsExactly("databases");
    }

    private int files(String word) {
        try {
            return (int) files().stream().filter(name -> name.contains(word)).count();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void databasesAreExchangedWhileAnotherOneIsOpened() throws InterruptedException {
        run(call(1, "SET", "k", "one"));
        Thread opener = Thread.ofPlatform().start(() -> stores.store(Integer.parseInt(SLOW)));
        opening.await();
        assertThat(run(call("SWAPDB 0 1"))).isEqualTo("+OK\r\n");
        assertThat(run(call("GET k"))).contains("one");
        mayOpen.countDown();
        opener.join();
        assertThat(run(call(5, "GET", "k"))).isEqualTo("$-1\r\n");
    }
}
