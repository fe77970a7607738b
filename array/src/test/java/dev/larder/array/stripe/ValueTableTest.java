package dev.larder.array.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The table gives the same answers as a sorted map of positions. */
final class ValueTableTest {

    private static long bytes(long position) {
        return 1024 + position % 1000;
    }

    @Test
    void shouldSayWhatAMapSays() {
        Random random = new Random(1);
        ValueTable table = new ValueTable();
        TreeMap<Long, Long> expected = new TreeMap<>();
        long position = 0;
        long last = 0;
        for (int i = 0; i < 100_000; i++) {
            switch (random.nextInt(20)) {
                case 0 -> { // truncated: a leader of a later term continues behind an earlier entry
                    last = Math.max(expected.isEmpty() ? last : expected.firstKey(), last - random.nextInt(5));
                    table.cut(last);
                    expected.tailMap(last, false).clear();
                }
                case 1 -> {
                    long dropped = last - random.nextInt(200);
                    table.drop(dropped);
                    expected.headMap(dropped, true).clear();
                }
                default -> {
                    last += 1 + random.nextInt(3);
                    position += 8 + random.nextInt(100);
                    table.put(last, position, bytes(position));
                    expected.put(last, position);
                }
            }
            long index = last - random.nextInt(250) + 5;
            assertThat(table.position(index)).isEqualTo(expected.getOrDefault(index, ValueTable.NONE));
            assertThat(table.lowest())
                    .isEqualTo(
                            expected.isEmpty()
                                    ? ValueTable.NONE
                                    : (long) expected.firstEntry().getValue());
            long to = index + random.nextInt(100);
            assertThat(table.bytes(index, to))
                    .isEqualTo(expected.subMap(index, to).values().stream()
                            .mapToLong(ValueTableTest::bytes)
                            .sum());
        }
    }

    /** An entry may be written in place of another one, although no truncation of the log was reported. */
    @Test
    void shouldForgetWhatLiesBehindAnEntryThatIsWrittenAgain() {
        ValueTable table = new ValueTable();
        table.put(5, 10, 1024);
        table.put(6, 20, 1024);
        table.put(7, 30, 1024);
        table.put(6, 40, 1024);
        assertThat(table.position(5)).isEqualTo(10);
        assertThat(table.position(6)).isEqualTo(40);
        assertThat(table.position(7)).isEqualTo(ValueTable.NONE);
    }
}
