package dev.larder.array.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.SystemStorage;
import dev.larder.memory.doubles.FaultyStorage;
import dev.larder.memory.doubles.StorageCall;
import dev.larder.resp.Command;
import dev.larder.resp.CommandTable;
import dev.larder.resp.ReplyBuffer;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.Request;
import dev.larder.server.command.Call;
import dev.larder.server.command.Commands;
import dev.larder.server.command.Database;
import dev.larder.server.local.LocalDatabase;
import dev.larder.server.local.LocalStores;
import dev.larder.server.store.StoreOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The replies to clients while the disk is full, and after it. */
@Timeout(60)
final class DiskFullTest {

    private static final String VALUE = "x".repeat(100_000);
    private static final int WRITES_MOST = 200;

    @TempDir
    private Path directory;

    private final FaultyStorage storage = new FaultyStorage(SystemStorage.system());

    private static Call call(String... words) {
        Request request = Request.of(Arrays.stream(words)
                .map(word -> word.getBytes(StandardCharsets.ISO_8859_1))
                .toList());
        Command command = Objects.requireNonNull(CommandTable.standard().find(request));
        if (!command.subcommands().isEmpty()) {
            command = Objects.requireNonNull(CommandTable.standard().findSubcommand(command, request));
        }
        return new Call(
                command,
                Objects.requireNonNull(Commands.handler(command)),
                request,
                0,
                new ReplyEncoder(new ReplyBuffer()));
    }

    private static String reply(Call call) {
        byte[] bytes = ((ReplyBuffer) call.reply().output()).toByteArray();
        return new String(bytes, StandardCharsets.ISO_8859_1).trim();
    }

    private static String run(Database database, String... words) {
        Call call = call(words);
        database.patiently(() -> database.run(call));
        return reply(call);
    }

    private LocalStores open() {
        LogOptions log =
                HookedOptions.withStorage(LogOptions.defaults(), storage).withPrepareBytes(0);
        return LocalStores.open(
                directory, 1, StoreOptions.defaults().withSegmentBytes(4 << 20).withStorage(log, storage));
    }

    private void fill() {
        storage.failFrom(
                StorageCall.ALLOCATE,
                storage.count(StorageCall.ALLOCATE) + 1,
                () -> new DiskFullException("the test's disk is full"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"SET", "APPEND", "MSET", "XADD"})
    void writesAreRefusedAndReadsGoOn(String write) {
        try (LocalStores stores = open();
                LocalDatabase.Shared shared = new LocalDatabase.Shared(stores, false)) {
            Database database = shared.forLoop();
            assertThat(run(database, "SET", "before", "1")).isEqualTo("+OK");
            assertThat(run(database, "XADD", "log", "1", "f", "v")).startsWith("$");
            fill();
            String reply = "";
            for (int i = 0; i < WRITES_MOST && !reply.startsWith("-"); i++) {
                reply = switch (write) {
                    case "XADD" -> run(database, "XADD", "log", "*", "f", VALUE);
                    case "APPEND" -> run(database, "APPEND", "text" + i, VALUE);
                    default -> run(database, write, "text" + i, VALUE);
                };
            }
            assertThat(reply).startsWith("-MISCONF the disk has no room for writes: ");
            assertThat(run(database, "GET", "before")).isEqualTo("$1\r\n1");
            assertThat(run(database, "XRANGE", "log", "-", "1")).contains("1-0");
            storage.heal();
            assertThat(run(database, "SET", "after", VALUE)).isEqualTo("+OK");
            assertThat(run(database, "XADD", "log", "*", "f", VALUE)).startsWith("$");
        }
    }

    @Test
    void theCommandsOfATransactionSaySoEach() {
        try (LocalStores stores = open();
                LocalDatabase.Shared shared = new LocalDatabase.Shared(stores, false)) {
            Database database = shared.forLoop();
            fill();
            String reply = "";
            for (int i = 0; i < WRITES_MOST && !reply.startsWith("-"); i++) {
                Call call = call("SET", "text" + i, VALUE);
                database.patiently(() -> database.transact(
                        List.of(call), List.of(), any -> true, call.reply(), () -> database.runWithin(call)));
                reply = reply(call);
            }
            assertThat(reply).startsWith("-MISCONF the disk has no room for writes: ");
        }
    }

    /** Regression: the error came behind half of a reply. The client took the replies to later commands for the rest. */
    @Test
    void theErrorOfAReadOfAGroupIsTheWholeReply() {
        try (LocalStores stores = open();
                LocalDatabase.Shared shared = new LocalDatabase.Shared(stores, false)) {
            Database database = shared.forLoop();
            for (int i = 1; i <= 2000; i++) {
                run(database, "XADD", "log", Integer.toString(i), "f", "v");
            }
            for (String group : List.of("alone", "inTransaction")) {
                run(database, "XGROUP", "CREATE", "log", group, "0");
                fill();
                String[] read = {"XREADGROUP", "GROUP", group, "c", "STREAMS", "log", ">"};
                String reply = "";
                for (int i = 0; i < WRITES_MOST && !reply.contains("MISCONF"); i++) {
                    Call call = call(read);
                    database.patiently(() -> {
                        if (group.equals("alone")) {
                            database.run(call);
                        } else {
                            database.transact(
                                    List.of(call),
                                    List.of(),
                                    any -> true,
                                    call.reply(),
                                    () -> database.runWithin(call));
                        }
                    });
                    reply = reply(call);
                    run(database, "XGROUP", "SETID", "log", group, "0"); // it takes records as well
                }
                storage.heal();
                assertThat(reply)
                        .startsWith("-MISCONF the disk has no room for writes: ")
                        .doesNotContain("\r\n");
            }
        }
    }
}
