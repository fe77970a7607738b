package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.format.RecordWord;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Records that are numbered from 0, twenty to a segment; every byte follows from the number. */
public final class NumberedRecords {

    private static final int BYTES = 100_000;
    public static final long SIZE_BYTES = RecordWord.sizeBytes(BYTES);

    private long next;

    public void append(LogAppender appender) {
        appender.append(bytes(next++));
    }

    /** Appends until the log has grown by the given number of segments. */
    public void fill(LogAppender appender, int segments) {
        int end = Position.segment(appender.append(bytes(next++))) + segments;
        int in = -1;
        while (in < end) {
            in = Position.segment(appender.append(bytes(next++)));
        }
    }

    public long last() {
        return next - 1;
    }

    /** Returns the numbers of the last {@code count} records. */
    public List<Long> lately(int count) {
        List<Long> numbers = new ArrayList<>();
        for (long number = next - count; number < next; number++) {
            numbers.add(number);
        }
        return numbers;
    }

    private static byte[] bytes(long number) {
        byte[] bytes = TestLogs.bytes(BYTES, number);
        ByteBuffer.wrap(bytes).putLong(number);
        return bytes;
    }

    /** Returns the number of a record, which must be whole. */
    public static long number(byte[] bytes) {
        long number = ByteBuffer.wrap(bytes).getLong();
        assertThat(bytes).isEqualTo(bytes(number));
        return number;
    }

    /** Reads to the end and returns the numbers. */
    public static List<Long> read(LogReader reader) {
        return TestLogs.payloads(reader).stream().map(NumberedRecords::number).toList();
    }
}
