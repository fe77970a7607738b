package dev.larder.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import dev.larder.tests.support.Samples;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Messages with a number, from which all their bytes follow. */
final class Numbered {

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private Numbered() {}

    static byte[] message(int number, int length) {
        byte[] bytes = Samples.bytes(number, length);
        MemorySegment.ofArray(bytes).set(INT, 0, number);
        return bytes;
    }

    /** Appends the messages from one number up to another one. */
    static void append(Appender appender, int from, int to, int length) {
        for (int number = from; number < to; number++) {
            appender.append(message(number, length));
        }
    }

    /** Reads from the start, checks every byte and that the numbers are 0, 1, 2 ...; returns how many there are. */
    static int count(LarderQueue queue) {
        int[] next = {0};
        try (Tailer tailer = queue.tailer()) {
            while (tailer.poll((segment, offset, length) -> {
                assertThat(segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE))
                        .isEqualTo(message(next[0]++, length));
            })) {
                assert next[0] > 0;
            }
        }
        return next[0];
    }
}
