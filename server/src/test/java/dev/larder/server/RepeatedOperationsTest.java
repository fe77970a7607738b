package dev.larder.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.resp.Command;
import dev.larder.resp.CommandTable;
import dev.larder.resp.ReplyBuffer;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.Request;
import dev.larder.resp.RequestLimits;
import dev.larder.resp.RequestParser;
import dev.larder.server.command.Call;
import dev.larder.server.command.Commands;
import dev.larder.server.command.Handler;
import dev.larder.server.local.LocalDatabase;
import dev.larder.server.local.LocalStores;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.Store;
import dev.larder.server.store.StoreOptions;
import dev.larder.tests.support.Effort;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The basis of replication: the encoded form of an operation is its request. The same requests at the same times leave the same
 * keys and streams in two stores, although one of them is restarted half-way. Both run in another year than the machine.
 */
final class RepeatedOperationsTest {

    private static final int OPERATIONS = 1500;
    private static final int DATABASES = 4;
    private static final long SEGMENT_BYTES = 4 << 20;

    /** Commands whose replies depend on the order of keys in an index, or on how many expired keys are still counted. */
    private static final Set<String> OF_ITS_OWN = Set.of("KEYS", "SCAN", "DBSIZE");

    @TempDir
    private Path directory;

    /** An encoded request, and the store's time at which it is applied. */
    @SuppressWarnings("ArrayRecordComponent") // no code compares it
    private record Operation(long millis, String name, byte[] request) {}

    @Test
    void theSameRequestsLeaveTheSame() throws Exception {
        int seeds = Effort.of(2, 4, 100);
        for (int seed = 1; seed <= seeds; seed++) {
            List<Operation> operations = operations(seed);
            Path folder = directory.resolve(Integer.toString(seed));
            try (Applied one = new Applied(folder.resolve("one"));
                    Applied other = new Applied(folder.resolve("other"))) {
                for (int i = 0; i < operations.size(); i++) {
                    Operation operation = operations.get(i);
                    String expected = one.apply(operation);
                    String found = other.apply(operation);
                    if (!OF_ITS_OWN.contains(operation.name())) {
                        assertThat(found).as("seed %d, operation %d", seed, i).isEqualTo(expected);
                    }
                    if (i == operations.size() / 2) {
                        other.restart();
                    }
                }
                assertThat(other.content()).as("seed %d", seed).isEqualTo(one.content());
                assertThat(one.content()).isNotEmpty();
            }
        }
    }

    /** Returns requests at times that advance by little, and now and then by weeks, so that keys expire. */
    private static List<Operation> operations(int seed) {
        Random random = new Random(seed);
        long[] millis = {Instant.parse("2031-05-01T00:00:00Z").toEpochMilli()};
        KeyCommandLines keys = new KeyCommandLines(seed, () -> millis[0]);
        StreamCommandLines streams = new StreamCommandLines(seed);
        List<Operation> operations = new ArrayList<>();
        while (operations.size() < OPERATIONS) {
            millis[0] += random.nextInt(100) == 0 ? random.nextLong(3_000_000_000L) : random.nextInt(20);
            String[] line = random.nextBoolean() ? keys.next() : streams.next();
            operations.add(new Operation(millis[0], line[0], encoded(line)));
        }
        return operations;
    }

    private static byte[] encoded(String... line) {
        ByteArrayOutputStream request = new ByteArrayOutputStream();
        request.writeBytes(("*" + line.length + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        for (String argument : line) {
            request.writeBytes(
                    ("$" + argument.length() + "\r\n" + argument + "\r\n").getBytes(StandardCharsets.ISO_8859_1));
        }
        return request.toByteArray();
    }

    /** Stores to which operations are applied, at their times. */
    private static final class Applied implements AutoCloseable {

        private final Path directory;
        private final ReplyBuffer replies = new ReplyBuffer();
        private volatile long millis = Instant.parse("2031-05-01T00:00:00Z").toEpochMilli();
        private LocalStores stores;
        private LocalDatabase.Shared shared;

        Applied(Path directory) {
            this.directory = directory;
            this.stores = open();
            this.shared = new LocalDatabase.Shared(stores, false);
        }

        private LocalStores open() {
            StoreOptions options = StoreOptions.defaults()
                    .withSegmentBytes(SEGMENT_BYTES)
                    .withClock(() -> Instant.ofEpochMilli(millis));
            return LocalStores.open(directory, DATABASES, options);
        }

        void restart() {
            close();
            stores = open();
            shared = new LocalDatabase.Shared(stores, false);
        }

        String apply(Operation operation) throws Exception {
            millis = operation.millis();
            return reply(0, operation.request());
        }

        private String reply(int database, byte[] encoded) throws Exception {
            Request request = new Request();
            assertThat(new RequestParser(RequestLimits.defaults()).parse(ByteBuffer.wrap(encoded), request))
                    .isTrue();
            Command command = command(request);
            Handler handler = command == null ? null : Commands.handler(command);
            if (command == null || handler == null || !command.takes(request.count())) {
                return "no operation"; // a session refuses the command, or runs it itself
            }
            replies.clear();
            new LocalDatabase(shared).run(new Call(command, handler, request, database, new ReplyEncoder(replies)));
            return new String(replies.toByteArray(), StandardCharsets.ISO_8859_1);
        }

        private static @Nullable Command command(Request request) {
            Command command = CommandTable.standard().find(request);
            return command == null || command.subcommands().isEmpty()
                    ? command
                    : CommandTable.standard().findSubcommand(command, request);
        }

        /** Returns all keys of all databases, with their content and expiry. */
        Map<String, String> content() throws Exception {
            Map<String, String> content = new TreeMap<>();
            for (Store store : stores.opened()) {
                List<Bytes> keys = new ArrayList<>();
                long cursor = 0;
                do {
                    cursor = store.keys().scan(cursor, 100, key -> keys.add(key.copy()));
                } while (cursor != 0);
                for (Bytes key : keys) {
                    content.put(store.index() + " " + text(key), content(store, key));
                }
            }
            return content;
        }

        private String content(Store store, Bytes key) throws Exception {
            String name = text(key);
            String held = switch (store.type(key)) {
                case NONE -> "";
                case STRING -> reply(store.index(), encoded("GET", name));
                case STREAM ->
                    reply(store.index(), encoded("XRANGE", name, "-", "+"))
                            + reply(store.index(), encoded("XINFO", "STREAM", name, "FULL", "COUNT", "0"));
            };
            return store.type(key) + " " + store.deadline(key) + " " + held;
        }

        private static String text(Bytes key) {
            return new String(key.toArray(), StandardCharsets.ISO_8859_1);
        }

        @Override
        public void close() {
            try (LocalStores open = stores) {
                shared.close();
                open.sync();
            }
        }
    }
}
