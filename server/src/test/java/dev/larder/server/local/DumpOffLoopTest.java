package dev.larder.server.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.larder.resp.Command;
import dev.larder.resp.CommandTable;
import dev.larder.resp.ReplyBuffer;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.Request;
import dev.larder.server.MemoryFolder;
import dev.larder.server.command.Call;
import dev.larder.server.command.Commands;
import dev.larder.server.command.NotReadyException;
import dev.larder.server.command.WaitingClient;
import dev.larder.server.dump.LongDump;
import dev.larder.server.dump.TransactionDumps;
import dev.larder.server.store.StoreOptions;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A loop leaves the dump of a long stream to another thread. */
@Timeout(60)
final class DumpOffLoopTest {

    private static final int ENTRIES = 2000;
    private static final String VALUE = "v".repeat(300);

    @TempDir(factory = MemoryFolder.class)
    private Path directory;

    private LocalStores stores;
    private LocalDatabase.Shared shared;
    private ReadyDatabase database;

    private TransactionDumps dumps = new TransactionDumps();

    /** The client of a session, which keeps a dump. */
    private final WaitingClient client = new WaitingClient() {

        private @Nullable LongDump kept;

        @Override
        public void waits(Place place, long timeoutMillis) {
            throw new AssertionError("nothing waits");
        }

        @Override
        public void served(byte[] reply, boolean uncommitted) {
            throw new AssertionError("nothing waits");
        }

        @Override
        public void keep(LongDump dump) {
            kept = dump;
        }

        @Override
        public @Nullable LongDump takeDump() {
            LongDump taken = kept;
            kept = null;
            return taken;
        }

        @Override
        public TransactionDumps dumps() {
            return dumps;
        }
    };

    @BeforeEach
    void open() {
        stores = LocalStores.open(directory, 1, StoreOptions.defaults().withSegmentBytes(4 << 20));
        shared = new LocalDatabase.Shared(stores, false);
        database = new ReadyDatabase(new LocalDatabase(shared), stores, new Preparations());
        for (int i = 1; i <= ENTRIES; i++) {
            patiently("XADD s " + i + "-1 f " + VALUE);
        }
        patiently("XADD short 1-1 f v");
    }

    @AfterEach
    void close() {
        try (LocalStores closed = stores) {
            shared.close();
            closed.sync();
        }
    }

    private Call call(String line, ReplyBuffer reply) {
        Request request = Request.of(Stream.of(line.split(" ", -1))
                .map(argument -> argument.getBytes(StandardCharsets.UTF_8))
                .toList());
        Command command = Objects.requireNonNull(CommandTable.standard().find(request), line);
        return new Call(
                command,
                Objects.requireNonNull(Commands.handler(command)),
                request,
                0,
                new ReplyEncoder(reply),
                client);
    }

    private byte[] patiently(String line) {
        ReplyBuffer reply = new ReplyBuffer();
        database.patiently(() -> database.run(call(line, reply)));
        return reply.toByteArray();
    }

    @Test
    void aLoopDumpsAShortStreamItself() {
        ReplyBuffer reply = new ReplyBuffer();
        database.run(call("DUMP short", reply));
        assertThat(reply.toByteArray()).isEqualTo(patiently("DUMP short"));
    }

    @Test
    void anotherThreadDumpsALongStream() {
        ReplyBuffer reply = new ReplyBuffer();
        Call call = call("DUMP s", reply);
        NotReadyException met = catchThrowableOfType(NotReadyException.class, () -> database.run(call));
        assertThat(reply.sizeBytes()).isZero();
        byte[] expected = patiently("DUMP s");
        met.preparation().run();
        patiently("XADD s * f v"); // the dump is of an earlier moment
        long hits = stores.store(0).lookUps().hits();
        database.run(call);
        assertThat(reply.toByteArray()).isEqualTo(expected);
        assertThat(stores.store(0).lookUps().hits()).isEqualTo(hits + 1);
    }

    @Test
    void aKeyThatHoldsAnotherStreamMeanwhileIsDumpedAsItIs() {
        ReplyBuffer reply = new ReplyBuffer();
        Call call = call("DUMP s", reply);
        NotReadyException met = catchThrowableOfType(NotReadyException.class, () -> database.run(call));
        patiently("RENAME short s");
        byte[] expected = patiently("DUMP s");
        met.preparation().run();
        database.run(call);
        assertThat(reply.toByteArray()).isEqualTo(expected);
    }

    /** Runs a transaction once in the loop. */
    private byte[] transact(String... lines) {
        ReplyBuffer reply = new ReplyBuffer();
        List<Call> calls = Stream.of(lines).map(line -> call(line, reply)).toList();
        database.transact(
                calls, List.of(), call -> true, new ReplyEncoder(reply), () -> calls.forEach(database::runWithin));
        return reply.toByteArray();
    }

    private NotReadyException transactLater(String... lines) {
        return catchThrowableOfType(NotReadyException.class, () -> transact(lines));
    }

    @Test
    void anotherThreadDumpsTheLongStreamsOfATransaction() {
        patiently("COPY s other");
        byte[] expected = concatenated(patiently("DUMP s"), patiently("DUMP short"), patiently("DUMP other"));
        String[] lines = {"DUMP s", "DUMP short", "DUMP other"};
        transactLater(lines).preparation().run();
        assertThat(transact(lines)).isEqualTo(expected);
        dumps = new TransactionDumps();
        assertThat(transact("DUMP short", "DUMP none", "DUMP short"))
                .isEqualTo(concatenated(patiently("DUMP short"), patiently("DUMP none"), patiently("DUMP short")));
    }

    /** All replies of a transaction are of one moment. */
    @Test
    void aDumpMadeForATransactionIsNotUsedOnceItsStreamHasChanged() {
        for (String change : List.of("XADD s * f v", "XDEL s 7-1", "XTRIM s MAXLEN 1990", "XSETID s 9999999999999-1")) {
            dumps = new TransactionDumps();
            transactLater("DUMP s").preparation().run();
            patiently(change);
            transactLater("DUMP s").preparation().run();
            assertThat(transact("DUMP s")).as(change).isEqualTo(patiently("DUMP s"));
        }
        dumps = new TransactionDumps();
        transactLater("DUMP s", "XDEL s 900-1", "DUMP s").preparation().run();
        byte[] before = patiently("DUMP s");
        assertThat(transact("DUMP s", "XDEL s 900-1", "DUMP s"))
                .isEqualTo(concatenated(before, ":1\r\n".getBytes(StandardCharsets.US_ASCII), patiently("DUMP s")));
        dumps = new TransactionDumps();
        transactLater("DUMP s").preparation().run();
        patiently("RENAME short s");
        assertThat(transact("DUMP s")).isEqualTo(patiently("DUMP s"));
    }

    @Test
    void aStreamThatAlwaysChangesIsDumpedByTheTransactionInTheEnd() {
        for (int round = 0; round < 3; round++) {
            transactLater("DUMP s").preparation().run();
            patiently("XADD s * f v");
        }
        assertThat(transact("DUMP s")).isEqualTo(patiently("DUMP s"));
    }

    private static byte[] concatenated(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
