package dev.larder.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.Codec;
import dev.larder.codec.SchemaMismatchException;
import dev.larder.codec.schema.Output;
import dev.larder.log.Position;
import dev.larder.memory.ClosedException;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Calls become messages, and messages calls. */
@Timeout(300)
final class MethodMessagesTest {

    @TempDir
    Path directory;

    record Leg(int quantity, String note) {}

    interface Orders extends AutoCloseable {
        void placed(String symbol, double price, int size);

        void placed(String symbol);

        void legs(List<Leg> legs, @Nullable Leg best, byte[] bytes);

        void all(boolean a, byte b, short c, char d, int e, long f, float g, double h);

        void tick();

        default void twice(String symbol) {
            placed(symbol);
            placed(symbol);
        }

        @Override
        String toString();

        @Override
        void close();
    }

    interface Placing {
        void placed(String symbol, double price);

        void placed(String symbol);
    }

    interface Ticking {
        void placed(String name, double price);

        void tick();
    }

    interface Both extends Placing, Ticking, AutoCloseable {
        @Override
        void close();
    }

    /** Records each call as a text. */
    static final class Notes implements Orders {
        final List<String> calls = new ArrayList<>();

        @Override
        public void placed(String symbol, double price, int size) {
            calls.add("placed " + symbol + " " + price + " " + size);
        }

        @Override
        public void placed(String symbol) {
            calls.add("placed " + symbol);
        }

        @Override
        public void legs(List<Leg> legs, @Nullable Leg best, byte[] bytes) {
            calls.add("legs " + legs + " " + best + " " + bytes.length);
        }

        @Override
        public void all(boolean a, byte b, short c, char d, int e, long f, float g, double h) {
            calls.add("all " + a + b + c + d + e + f + g + h);
        }

        @Override
        public void tick() {
            calls.add("tick");
        }

        @Override
        public void close() {
            calls.add("close");
        }
    }

    @Test
    void makesTheCallsThatWereMade() {
        Notes notes = new Notes();
        try (LarderQueue queue = TestQueues.open(directory);
                Orders orders = queue.methodWriter(Orders.class, MethodHandles.lookup());
                MethodReader reader = queue.methodReader(Orders.class, notes)) {
            orders.placed("XY", 1.5, 7);
            orders.placed("Z");
            orders.legs(List.of(new Leg(1, "a"), new Leg(2, "b")), null, new byte[1000]);
            orders.all(true, (byte) 1, (short) 2, 'c', 4, 5L, 6.5f, 7.5);
            orders.tick();
            orders.twice("W");
            assertThat(orders.toString()).contains("Orders");
            while (reader.poll()) {
                assertThat(notes.calls).isNotEmpty();
            }
            assertThat(notes.calls)
                    .containsExactly(
                            "placed XY 1.5 7",
                            "placed Z",
                            "legs [Leg[quantity=1, note=a], Leg[quantity=2, note=b]] null 1000",
                            "all true12c456.57.5",
                            "tick",
                            "placed W",
                            "placed W");
            assertThat(reader.unknownCount()).isZero();
        }
    }

    @Test
    void closesItsAppenderByClose() {
        try (LarderQueue queue = TestQueues.open(directory)) {
            Orders orders = queue.methodWriter(Orders.class, MethodHandles.lookup());
            orders.close();
            assertThatThrownBy(orders::tick).isInstanceOf(ClosedException.class);
        }
    }

    interface Newer {
        void placed(int size, String symbol, @Nullable String venue);

        void unheard();
    }

    @Test
    void findsParametersByNameWhereAMethodHasChangedAndReportsWhatItLacks() {
        List<String> calls = new ArrayList<>();
        List<String> unknown = new ArrayList<>();
        Newer handler = new Newer() {
            @Override
            public void placed(int size, String symbol, @Nullable String venue) {
                calls.add(symbol + " " + size + " " + venue);
            }

            @Override
            public void unheard() {
                calls.add("unheard");
            }
        };
        try (LarderQueue queue = TestQueues.open(directory);
                Orders orders = queue.methodWriter(Orders.class, MethodHandles.lookup());
                TypedAppender<Leg> legs = queue.appender(Codec.records(Leg.class));
                Appender raw = queue.appender();
                MethodReader reader = queue.methodReader(Newer.class, handler)) {
            reader.onUnknown((position, what) -> unknown.add(what));
            orders.placed("XY", 1.5, 7);
            orders.placed("Z");
            orders.tick();
            legs.append(new Leg(1, "x"));
            raw.append("text");
            raw.append(new byte[] {(byte) 0xfd, 99, 0, 0});
            assertThat(reader.drain(100)).isEqualTo(6);
            assertThat(calls).containsExactly("XY 7 null", "Z 0 null");
            assertThat(unknown)
                    .containsExactly(
                            "method tick()",
                            "record Leg",
                            "a message without a schema",
                            "a message of schema 99, which is not in " + directory);
            assertThat(reader.unknownCount()).isEqualTo(4);
        }
    }

    interface Changed {
        void placed(String symbol, int price);
    }

    @Test
    void namesBothTypesWhereAParameterHasAnother() {
        try (LarderQueue queue = TestQueues.open(directory);
                Orders orders = queue.methodWriter(Orders.class, MethodHandles.lookup());
                MethodReader reader = queue.methodReader(Changed.class, (symbol, price) -> {})) {
            orders.placed("XY", 1.5, 7);
            assertThatThrownBy(reader::poll)
                    .isInstanceOf(SchemaMismatchException.class)
                    .hasMessageContainingAll(
                            "component price", "method placed", "\"int\"", "\"double\"", directory.toString());
        }
    }

    @Test
    void staysBeforeACallThatThrows() {
        List<String> calls = new ArrayList<>();
        try (LarderQueue queue = TestQueues.open(directory);
                Orders orders = queue.methodWriter(Orders.class, MethodHandles.lookup());
                MethodReader reader = queue.methodReader(Changed.class, (symbol, price) -> {})) {
            assertThat(reader).isNotNull();
            orders.placed("one");
            MethodReader failing = queue.methodReader(OneMethod.class, symbol -> {
                calls.add(symbol);
                if (calls.size() == 1) {
                    throw new IllegalStateException("not now");
                }
            });
            assertThatThrownBy(failing::poll)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("not now");
            assertThat(failing.poll()).isTrue();
            assertThat(calls).containsExactly("one", "one");
        }
    }

    interface OneMethod {
        void placed(String symbol);
    }

    /** Once, an object kept the memory of its longest call for ever. */
    @Test
    void keepsTheMemoryOfShortCallsAlone() {
        try (LarderQueue queue =
                LarderQueue.open(directory, TestQueues.options().withLargestSegmentBytes(32 << 20))) {
            MethodWriters.Calls calls = new MethodWriters.Calls(queue.appender());
            Output output = calls.begin(1);
            output.putBytes(new byte[300_000]);
            calls.end(output);
            assertThat(calls.begin(1)).isSameAs(output);
            output.putBytes(new byte[5_000_000]);
            calls.end(output);
            assertThat(calls.begin(1).segment().byteSize()).isLessThan(1_000_000);
            assertThat(queue.info().messages()).hasValue(2);
            calls.close();
        }
    }

    /** An error of the handler, or of the listener, stays its own, of whatever kind. */
    @Test
    void doesNotCallAnErrorOfTheHandlerOneOfTheMessage() throws Exception {
        SchemaMismatchException own = new SchemaMismatchException("of the handler");
        try (LarderQueue queue = TestQueues.open(directory);
                Orders orders = queue.methodWriter(Orders.class, MethodHandles.lookup());
                MethodReader reader = queue.methodReader(OneMethod.class, symbol -> {
                    throw own;
                })) {
            orders.placed("one");
            assertThatThrownBy(reader::poll).isSameAs(own);
            assertThatThrownBy(() -> reader.poll(Duration.ofSeconds(1))).isSameAs(own);
            reader.tailer().toEnd();
            orders.tick();
            reader.onUnknown((position, what) -> {
                throw own;
            });
            assertThatThrownBy(reader::poll).isSameAs(own);
        }
    }

    /** A damaged call is an error of the message, also right after an error of the handler. */
    @Test
    void namesTheMessageWhoseArgumentsCannotBeRead() {
        SchemaMismatchException own = new SchemaMismatchException("of the handler");
        List<String> calls = new ArrayList<>();
        try (LarderQueue queue = TestQueues.open(directory);
                Orders orders = queue.methodWriter(Orders.class, MethodHandles.lookup());
                MethodReader reader = queue.methodReader(OneMethod.class, symbol -> {
                    calls.add(symbol);
                    if (calls.size() == 1) {
                        throw own;
                    }
                })) {
            orders.placed("one");
            int number = queue.schemas().entrySet().stream()
                    .filter(entry -> entry.getValue().text().startsWith("method placed\n")
                            && entry.getValue().main().components().size() == 1)
                    .findFirst()
                    .orElseThrow()
                    .getKey();
            long damaged = queue.append(new byte[] {(byte) 0xfd, (byte) number, 0, 0, 5, 0, 0, 0, 'a'});
            assertThatThrownBy(reader::poll).isSameAs(own);
            assertThat(reader.poll()).isTrue();
            assertThatThrownBy(reader::poll)
                    .isInstanceOf(SchemaMismatchException.class)
                    .hasMessageContainingAll(
                            directory.toString(), "position " + Position.toString(damaged) + " cannot be read");
        }
    }

    @Test
    void countsAnUnknownMessageOnceIfTheListenerThrows() {
        List<String> unknown = new ArrayList<>();
        try (LarderQueue queue = TestQueues.open(directory);
                Orders orders = queue.methodWriter(Orders.class, MethodHandles.lookup());
                MethodReader reader = queue.methodReader(OneMethod.class, symbol -> {})) {
            reader.onUnknown((position, what) -> {
                unknown.add(what);
                if (unknown.size() == 1) {
                    throw new IllegalStateException("not now");
                }
            });
            orders.tick();
            assertThatThrownBy(reader::poll).hasMessage("not now");
            assertThat(reader.unknownCount()).isZero();
            assertThat(reader.poll()).isTrue();
            assertThat(reader.unknownCount()).isEqualTo(1);
        }
    }

    interface Answering {
        int ask(String question);
    }

    interface Odd {
        void take(Object anything);
    }

    @Test
    void refusesWhatCannotBecomeAMessage() {
        try (LarderQueue queue = TestQueues.open(directory)) {
            assertThatThrownBy(() -> queue.methodWriter(Answering.class))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("Answering", "ask", "returns int");
            assertThatThrownBy(() -> queue.methodWriter(Odd.class))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("take", "java.lang.Object");
            assertThatThrownBy(() -> queue.methodWriter(Notes.class))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("not an interface");
            assertThatThrownBy(() -> queue.methodWriter(Runnable.class))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("MethodHandles.lookup()");
        }
    }

    @Test
    void mayBeSharedByThreads() throws Exception {
        int calls = 10_000;
        List<String> seen = new ArrayList<>();
        try (LarderQueue queue = TestQueues.open(directory);
                OneMethodCloseable shared = queue.methodWriter(OneMethodCloseable.class, MethodHandles.lookup())) {
            try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
                for (int thread = 0; thread < 3; thread++) {
                    String name = "thread " + thread;
                    threads.execute(() -> {
                        for (int call = 0; call < calls; call++) {
                            shared.placed(name + " " + call);
                        }
                    });
                }
            }
            MethodReader reader = queue.methodReader(OneMethod.class, seen::add);
            assertThat(reader.drain(Integer.MAX_VALUE)).isEqualTo(3 * calls);
            for (int thread = 0; thread < 3; thread++) {
                String name = "thread " + thread + " ";
                List<String> own =
                        seen.stream().filter(call -> call.startsWith(name)).toList();
                assertThat(own).hasSize(calls).doesNotHaveDuplicates().first().isEqualTo(name + "0");
                assertThat(own.getLast()).isEqualTo(name + (calls - 1));
            }
        }
    }

    interface OneMethodCloseable extends AutoCloseable {
        void placed(String symbol);

        @Override
        void close();
    }

    @Test
    void carriesTheCallsOfAMethodThatIsInheritedTwice() {
        List<String> calls = new ArrayList<>();
        Both handler = new Both() {
            @Override
            public void placed(String symbol, double price) {
                calls.add("placed " + symbol + " " + price);
            }

            @Override
            public void placed(String symbol) {
                calls.add("placed " + symbol);
            }

            @Override
            public void tick() {
                calls.add("tick");
            }

            @Override
            public void close() {}
        };
        try (LarderQueue queue = TestQueues.open(directory);
                Both writer = queue.methodWriter(Both.class, MethodHandles.lookup());
                MethodReader reader = queue.methodReader(queue.tailer(), Both.class, handler, MethodHandles.lookup())) {
            writer.placed("XY", 1.5);
            writer.placed("YZ");
            writer.tick();
            assertThat(reader.drain(10)).isEqualTo(3);
            assertThat(calls).containsExactly("placed XY 1.5", "placed YZ", "tick");
            assertThat(reader.unknownCount()).isZero();
        }
    }

    interface Later {
        void tick(int count);
    }

    interface LaterStill {
        void tick(int count);
    }

    interface LaterBoth extends Later, LaterStill {}

    /** There is one method of the name, so calls with other parameters go to it. */
    @Test
    void matchesParametersByNameWhereAMethodIsInheritedTwice() {
        List<Integer> counts = new ArrayList<>();
        LaterBoth handler = counts::add;
        try (LarderQueue queue = TestQueues.open(directory);
                MethodReader reader =
                        queue.methodReader(queue.tailer(), LaterBoth.class, handler, MethodHandles.lookup())) {
            Orders orders = queue.methodWriter(Orders.class, MethodHandles.lookup());
            orders.tick();
            orders.close();
            assertThat(reader.poll()).isTrue();
            assertThat(counts).containsExactly(0);
        }
    }
}
