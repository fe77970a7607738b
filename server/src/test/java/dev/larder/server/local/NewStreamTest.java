package dev.larder.server.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.SystemStorage;
import dev.larder.resp.Command;
import dev.larder.resp.CommandTable;
import dev.larder.resp.ReplyBuffer;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.Request;
import dev.larder.server.MemoryFolder;
import dev.larder.server.command.Call;
import dev.larder.server.command.Commands;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.KeyEvent;
import dev.larder.server.store.StoreOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A command that makes or renames a stream, and finds no room on the disk for what it adds. */
@Timeout(60)
final class NewStreamTest {

    private static final StoreOptions OPTIONS = StoreOptions.defaults().withSegmentBytes(4 << 20);

    @TempDir(factory = MemoryFolder.class)
    private Path directory;

    /** Counts the appended records and messages. The disk is full for some of them: from one on, below another. */
    private final AtomicInteger appends = new AtomicInteger();

    private final AtomicInteger failing = new AtomicInteger();
    private final AtomicInteger failingEnd = new AtomicInteger();
    private LocalStores stores;
    private LocalDatabase.Shared shared;
    private ReadyDatabase database;

    @BeforeEach
    void open() {
        open(options());
    }

    private StoreOptions options() {
        LogOptions full = HookedOptions.withFailpoints(LogOptions.defaults(), step -> {
            if (step.equals("append.entered")) {
                int append = appends.getAndIncrement();
                if (append >= failing.get() && append < failingEnd.get()) {
                    throw new DiskFullException("no space left on device");
                }
            }
        });
        return OPTIONS.withStorage(full, SystemStorage.system());
    }

    private void open(StoreOptions options) {
        stores = LocalStores.open(directory, 1, options);
        shared = new LocalDatabase.Shared(stores, false);
        database = new ReadyDatabase(new LocalDatabase(shared), stores, new Preparations());
    }

    @AfterEach
    void close() {
        try (LocalStores closed = stores) {
            shared.close();
            closed.sync();
        }
    }

    private String run(String line) {
        String[] arguments = line.split(" ", -1);
        Request request = Request.of(Stream.of(arguments)
                .map(argument -> argument.getBytes(StandardCharsets.UTF_8))
                .toList());
        CommandTable table = CommandTable.standard();
        Command parent = Objects.requireNonNull(table.find(request), arguments[0]);
        Command child = table.findSubcommand(parent, request);
        Command command = child == null ? parent : child;
        ReplyBuffer reply = new ReplyBuffer();
        Call call = new Call(
                command, Objects.requireNonNull(Commands.handler(command)), request, 0, new ReplyEncoder(reply));
        database.patiently(() -> database.run(call));
        return new String(reply.toByteArray(), StandardCharsets.UTF_8).strip();
    }

    /** Runs a line. The disk is full for a number of appends, the first of which stands behind some others. */
    private String runOnFullDisk(String line, int behind, int count) {
        failing.set(appends.get() + behind);
        failingEnd.set(failing.get() + count);
        String reply = run(line);
        failingEnd.set(0);
        return reply;
    }

    /** Regression: both keys held the stream, and the next RENAME removed it. Commands on the key then never ended. */
    @ParameterizedTest
    @CsvSource({"1, ", "1, SET t v", "1, XADD t 9-9 f v", "4, ", "4, SET t v", "4, XADD t 9-9 f v"})
    void aStreamThatCannotBeRenamedStays(int fullFor, @Nullable String before) {
        for (int behind = 0; behind < 4; behind++) {
            run("DEL s t");
            run("XADD s 1-1 f v");
            if (before != null) {
                run(before);
            }
            String replaced = run("TYPE t");
            boolean failed = runOnFullDisk("RENAME s t", behind, fullFor).startsWith("-MISCONF");
            if (failed) {
                assertThat(run("XLEN s")).isEqualTo(":1");
                assertThat(fullFor == 1 && !"SET t v".equals(before) ? run("TYPE t") : replaced)
                        .isEqualTo(replaced);
                assertThat(run("RENAME s t")).isEqualTo("+OK");
            }
            assertThat(failed || behind > 0).isTrue();
            assertThat(run("XRANGE t - +")).contains("1-1");
            assertThat(run("XLEN s")).isEqualTo(":0");
        }
    }

    /** Two keys hold the stream, as long as the disk is full. */
    @Test
    void aStreamOfTwoKeysThatIsRemovedByOneIsGone() {
        for (int behind = 1; behind < 4; behind++) {
            run("DEL s t");
            run("XADD s 1-1 f v");
            runOnFullDisk("RENAME s t", behind, 8);
            run("DEL s");
            assertThat(run("XLEN t")).isIn(":0", ":1");
            assertThat(run("XADD t 2-2 f v")).contains("2-2");
            assertThat(run("XRANGE t - +")).contains("2-2");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"XADD s 1-1 f v", "XADD s IDMP p 1 * f v", "XGROUP CREATE s g $ MKSTREAM"})
    void aStreamThatCannotBeFilledIsNotThere(String line) {
        run("XADD other 1-1 f v"); // the maps of streams are open
        int records = appends.get();
        int steps = 0;
        boolean made = false;
        while (!made) {
            made = !runOnFullDisk(line, steps, 1).startsWith("-MISCONF");
            if (!made) {
                assertThat(run("EXISTS s")).isEqualTo(":0");
                assertThat(run("DBSIZE")).isEqualTo(":1");
            }
            steps++;
        }
        assertThat(steps).as("steps that failed, and one that did not").isGreaterThan(2);
        assertThat(appends.get()).isGreaterThan(records);
        assertThat(run("TYPE s")).isEqualTo("+stream");
        assertThat(run("DBSIZE")).isEqualTo(":2");
    }

    private void reopen() {
        close();
        open(options());
    }

    /** Regression: the string was there, and the stream too: later entries were acknowledged, and lost at the next start. */
    @ParameterizedTest
    @CsvSource({"1, SET s v", "9, SET s v", "1, SET s v EX 1000", "9, MSET s v"})
    void aStringReplacesAStreamAsAWhole(int fullFor, String line) {
        for (int behind = 0; behind < 3; behind++) {
            run("DEL s");
            run("XADD s 1-1 f v");
            if (runOnFullDisk(line, behind, fullFor).startsWith("-MISCONF")) {
                assertThat(run("XADD s 2-2 f v")).contains("2-2");
                assertThat(run("XLEN s")).isEqualTo(":2");
                continue;
            }
            for (int start = 0; start < 2; start++) {
                assertThat(run("GET s")).endsWith("v");
                assertThat(run("XADD s 2-2 f v")).startsWith("-WRONGTYPE");
                assertThat(run("TYPE s")).isEqualTo("+string");
                reopen();
            }
            assertThat(run("DEL s")).isEqualTo(":1");
            assertThat(run("XLEN s")).isEqualTo(":0");
            reopen();
            assertThat(run("EXISTS s")).isEqualTo(":0");
        }
    }

    @Test
    void aStreamTakesThePlaceOfAReplacedOne() {
        for (int behind = 0; behind < 3; behind++) {
            run("DEL s t");
            run("XADD s 1-1 f v");
            runOnFullDisk("SET s v", behind, 9);
            run("XADD t 5-5 f v");
            assertThat(run("RENAME t s")).isEqualTo("+OK");
            for (int start = 0; start < 2; start++) {
                assertThat(run("XRANGE s - +")).contains("5-5").doesNotContain("1-1");
                reopen();
            }
        }
    }

    /** Regression: the entry was deleted in memory alone. */
    @Test
    void anEntryIsDeletedOrStays() {
        for (int behind = 0; behind < 3; behind++) {
            run("DEL s");
            run("XADD s 1-1 f v");
            run("XADD s 2-2 f v");
            run("XADD s 3-3 f v");
            String reply = runOnFullDisk("XDEL s 2-2", behind, 1);
            if (reply.startsWith("-MISCONF")) {
                assertThat(run("XLEN s")).isEqualTo(":3");
                assertThat(run("XDEL s 2-2")).isEqualTo(":1");
            }
            for (int start = 0; start < 2; start++) {
                assertThat(run("XLEN s")).isEqualTo(":2");
                assertThat(run("XRANGE s - +")).doesNotContain("2-2");
                reopen();
            }
            assertThat(run("XTRIM s MAXLEN 0")).isEqualTo(":2");
            assertThat(run("XLEN s")).isEqualTo(":0");
            assertThat(run("XINFO STREAM s")).doesNotContain("ERR");
        }
    }

    /** Regression: the first entries were deleted, and nobody was told: clients kept them. */
    @ParameterizedTest
    @CsvSource({"XDEL s 1-1 2-2 3-3, 0", "XDEL s 1-1 1500-1500, 1"})
    void entriesThatAreDeletedAreTold(String line, int toldErrors) {
        int told = 0;
        for (int behind = 0; behind < 4; behind++) {
            run("DEL s");
            for (int i = 1; i <= 1500; i++) {
                run("XADD s " + i + "-" + i + " f v");
            }
            List<KeyEvent> events = new ArrayList<>();
            stores.listener((store, key, event) -> events.add(event));
            String reply = runOnFullDisk(line, behind, 1);
            boolean deleted = !run("XLEN s").equals(":1500");
            assertThat(events.contains(KeyEvent.XDEL)).as(reply).isEqualTo(deleted);
            told += deleted && reply.startsWith("-MISCONF") ? 1 : 0;
        }
        assertThat(told).as("errors of commands that have deleted something").isEqualTo(toldErrors);
    }

    /** Regression: a copy of the stream that was under way kept the acknowledged entry. */
    @Test
    void acknowledgedEntriesCountAsAChange() {
        run("XADD s 1-1 f v");
        run("XADD s 2-2 f v");
        run("XGROUP CREATE s g 0");
        run("XREADGROUP GROUP g c STREAMS s >");
        long before = versionOfStream();
        assertThat(runOnFullDisk("XACK s g 1-1 2-2", 1, 1)).startsWith("-MISCONF");
        assertThat(run("XPENDING s g")).startsWith("*4\r\n:1");
        assertThat(versionOfStream()).isGreaterThan(before);
    }

    private long versionOfStream() {
        try (dev.larder.server.stream.Stream stream = Objects.requireNonNull(stores.store(0).stream(Bytes.of("s")))) {
            return stream.version();
        }
    }

    /** Regression: the name that the disk had no room to remove was listed, though it did not count. */
    @ParameterizedTest
    @CsvSource({"SET s v, s, 2", "RENAME s t, t, 1"})
    void aNameThatDoesNotCountIsNotListed(String line, String key, int runs) {
        int left = 0;
        for (int behind = 0; behind < 4; behind++) {
            run("DEL s t");
            run("XADD s 1-1 f v");
            if (runOnFullDisk(line, behind, 9).equals("+OK")) {
                left++;
                assertThat(run("KEYS *")).isEqualTo("*1\r\n$1\r\n" + key);
                assertThat(run("DBSIZE")).isEqualTo(":1");
                assertThat(run("SCAN " + (1L << 62))).endsWith(key.equals("s") ? "*0" : "$1\r\nt");
                assertThat(run("RANDOMKEY")).endsWith(key);
            }
        }
        assertThat(left)
                .as("runs in which nothing failed, or the removal alone")
                .isGreaterThanOrEqualTo(runs);
    }

    /** Regression: the client got an error, and the string at the new name was gone. */
    @Test
    void aRenameOverAStringThatHasRemovedTheStringSucceeds() {
        int renamed = 0;
        for (int behind = 0; behind < 3; behind++) {
            run("DEL s t");
            run("XADD s 1-1 f v");
            run("SET t v");
            String reply = runOnFullDisk("RENAME s t", behind, 1);
            renamed += reply.equals("+OK") ? 1 : 0;
            for (int start = 0; start < 2; start++) {
                assertThat(run("TYPE t")).isEqualTo(reply.equals("+OK") ? "+stream" : "+string");
                assertThat(run("TYPE s")).isEqualTo(reply.equals("+OK") ? "+none" : "+stream");
                assertThat(run(reply.equals("+OK") ? "XLEN t" : "XLEN s")).isEqualTo(":1");
                assertThat(run("DBSIZE")).isEqualTo(reply.equals("+OK") ? ":1" : ":2");
                reopen();
            }
        }
        assertThat(renamed).isEqualTo(1);
    }

    /** The old name that the disk had no room to remove must not count when the new one is gone. */
    @ParameterizedTest
    @ValueSource(strings = {"DEL t", "SET t v", "RENAME u t", "FLUSHALL"})
    void aRenamedStreamThatIsRemovedStaysSo(String line) {
        run("XADD s 1-1 f v");
        run("XADD u 2-2 f v");
        assertThat(runOnFullDisk("RENAME s t", 1, 9)).isEqualTo("+OK");
        run(line);
        shared.close();
        stores.close();
        open(options());
        assertThat(run("TYPE s")).isEqualTo("+none");
    }

    /** Regression: the client got an error, and added its entry again. */
    @Test
    void anEntryThatWasAddedIsAcknowledgedThoughNothingCanBeTrimmed() {
        for (int behind = 0; behind < 4; behind++) {
            run("DEL s");
            run("XADD s 1-1 f v");
            run("XADD s 2-2 f v");
            String reply = runOnFullDisk("XADD s MAXLEN 1 3-3 f v", behind, 1);
            assertThat(run("XRANGE s 3-3 3-3").contains("3-3")).isEqualTo(reply.contains("3-3"));
            boolean trimmed = run("XLEN s").equals(":1");
            reopen();
            assertThat(run("XLEN s").equals(":1")).isEqualTo(trimmed);
        }
    }

    @Test
    void aGroupStaysAsItWas() {
        for (int behind = 0; behind < 4; behind++) {
            run("DEL s");
            run("XADD s 1-1 f v");
            run("XGROUP CREATE s g 0");
            String noAck = runOnFullDisk("XREADGROUP GROUP g c NOACK STREAMS s >", behind, 1);
            assertThat(noAck.contains("1-1")
                            || run("XREADGROUP GROUP g c STREAMS s >").contains("1-1"))
                    .isTrue();
            run("XADD s 2-2 f v");
            String read = runOnFullDisk("XREADGROUP GROUP g c STREAMS s >", behind, 1);
            assertThat(read.contains("2-2")
                            || run("XREADGROUP GROUP g c STREAMS s 0 >").contains("2-2")
                            || run("XREADGROUP GROUP g c STREAMS s >").contains("2-2"))
                    .isTrue();
            String acknowledged = runOnFullDisk("XACK s g 2-2", behind, 1);
            String left = run("XPENDING s g 2-2 2-2 9");
            assertThat(left.contains("2-2")).isEqualTo(!acknowledged.equals(":1"));
            reopen();
            assertThat(run("XPENDING s g 2-2 2-2 9").contains("2-2")).isEqualTo(left.contains("2-2"));
        }
    }

    /** Regression: the time of the check grew with the square of the length, within the loop. */
    @Test
    void aLongTextIsNoNumberAtOnce() {
        String digits = "1".repeat(1 << 19) + "x";
        assertThat(run("INCRBYFLOAT n " + digits)).isEqualTo("-ERR value is not a valid float");
        assertThat(run("SET n " + digits)).isEqualTo("+OK");
        assertThat(run("INCRBYFLOAT n 1")).isEqualTo("-ERR value is not a valid float");
    }
}
