package dev.larder.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.Codec;
import dev.larder.codec.Schema;
import dev.larder.codec.SchemaMismatchException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One release reads the records of another: classes of one simple name stand for the releases. */
@Timeout(300)
@SuppressWarnings({"ArrayRecordComponent", "SameNameButDifferent"}) // what is tested
final class SchemaEvolutionTest {

    @TempDir
    Path directory;

    static final class First {
        enum Side {
            BUY,
            SELL
        }

        record Leg(int quantity, String note) {}

        record Trade(String symbol, double price, List<Leg> legs, Side side, int size) {}
    }

    static final class Second {
        enum Side {
            SELL,
            SHORT,
            BUY
        }

        record Leg(long added, int quantity) {}

        record Trade(
                int size,
                Side side,
                long newNumber,
                boolean newFlag,
                @Nullable String newText,
                List<String> newList,
                Map<String, String> newMap,
                Optional<String> newOptional,
                int[] newArray,
                @Nullable Leg newLeg,
                List<Leg> legs,
                String symbol) {}
    }

    static final class Third {
        record Trade(String symbol, int price) {}
    }

    static final class Fourth {
        record Leg(long quantity) {}

        record Trade(List<Leg> legs) {}
    }

    static final class Fifth {
        enum Side {
            BUY
        }

        record Trade(Side side) {}
    }

    private static final First.Trade TRADE =
            new First.Trade("XY", 1.5, List.of(new First.Leg(3, "n")), First.Side.SELL, 7);

    private void write() {
        try (LarderQueue queue = TestQueues.open(directory);
                TypedAppender<First.Trade> appender = queue.appender(Codec.records(First.Trade.class))) {
            appender.append(TRADE);
        }
    }

    private <T> T read(Class<T> type) {
        try (LarderQueue queue =
                        LarderQueue.open(directory, TestQueues.options().withReadOnly(true));
                TypedTailer<T> tailer = queue.tailer(Codec.records(type))) {
            return tailer.next().orElseThrow();
        }
    }

    @Test
    void findsComponentsByNameSkipsTheOthersAndGivesDefaults() {
        write();
        Second.Trade read = read(Second.Trade.class);
        Second.Trade expected = new Second.Trade(
                7,
                Second.Side.SELL,
                0,
                false,
                null,
                List.of(),
                Map.of(),
                Optional.empty(),
                new int[0],
                null,
                List.of(new Second.Leg(0, 3)),
                "XY");
        assertThat(read).usingRecursiveComparison().isEqualTo(expected);
    }

    @Test
    void keepsBothSchemasInOneQueue() {
        write();
        try (LarderQueue queue = TestQueues.open(directory);
                TypedAppender<Third.Trade> appender = queue.appender(Codec.records(Third.Trade.class))) {
            appender.append(new Third.Trade("Z", 2));
            assertThat(queue.schemas()).hasSize(2);
            assertThat(queue.schemas().values()).extracting(Schema::name).containsOnly("Trade");
        }
        assertThat(read(First.Trade.class)).isEqualTo(TRADE);
    }

    @Test
    void namesBothTypesTheComponentAndTheQueueWhereATypeHasChanged() {
        write();
        assertThatThrownBy(() -> read(Third.Trade.class))
                .isInstanceOf(SchemaMismatchException.class)
                .hasMessageContainingAll(
                        "component price", "record Trade", "\"int\"", "\"double\"", "schema 1", directory.toString());
        assertThatThrownBy(() -> read(Fourth.Trade.class))
                .isInstanceOf(SchemaMismatchException.class)
                .hasMessageContainingAll("component quantity", "record Leg", "\"long\"", "\"int\"");
    }

    @Test
    void namesAConstantThatIsGone() {
        write();
        assertThatThrownBy(() -> read(Fifth.Trade.class))
                .isInstanceOf(SchemaMismatchException.class)
                .hasMessageContainingAll("SELL", "enum Side");
    }

    @Test
    void refusesARecordOfAnotherName() {
        write();
        assertThatThrownBy(() -> read(First.Leg.class))
                .isInstanceOf(SchemaMismatchException.class)
                .hasMessageContainingAll("record Trade", "not a Leg", directory.toString());
    }
}
