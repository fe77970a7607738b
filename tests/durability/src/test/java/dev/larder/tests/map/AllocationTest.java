package dev.larder.tests.map;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.RecordHandler;
import dev.larder.log.SyncPolicy;
import dev.larder.map.LarderMap;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reading and setting allocate nothing on the heap. */
final class AllocationTest {

    private static final int CALLS = 20_000;
    private static final int ROUNDS_MAX = 500;

    /** Without native calls Java itself takes 40 bytes to say whether a page is in memory, at one read in 128. */
    private static final long ENOUGH =
            System.getProperty("larder.test.storage", "system").equals("system") ? 0 : CALLS;

    private static final Long[] KEYS = keys();

    private static long sum;

    @TempDir
    Path directory;

    private static Long[] keys() {
        Long[] keys = new Long[1000];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = 1_000_000L + i;
        }
        return keys;
    }

    /**
     * Returns the allocation after many calls: code may allocate until it is compiled, and rarely called code is compiled late.
     */
    private static long allocatedInTheEnd(Runnable call) {
        long least = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS_MAX && least > ENOUGH; round++) {
            least = Math.min(least, allocated(call));
        }
        return least;
    }

    private static long allocated(Runnable call) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < CALLS; i++) {
            call.run();
        }
        return threads.getCurrentThreadAllocatedBytes() - before;
    }

    @Test
    void shouldTakeNothingFromTheHeap() {
        LogOptions options = LogOptions.defaults().withPrepareBytes(0).withSync(SyncPolicy.none());
        byte[] value = new byte[100];
        RecordHandler handler = (segment, offset, length) -> sum += segment.get(ValueLayout.JAVA_BYTE, offset) + length;
        int[] next = {0};
        try (LarderMap<Long, byte[]> map = LarderMap.open(directory, ValueCodec.longs(), ValueCodec.bytes(), options)) {
            for (Long key : KEYS) {
                map.set(key, value);
            }
            assertThat(allocatedInTheEnd(() -> map.read(KEYS[next[0]++ % KEYS.length], handler)))
                    .as("bytes of %s reads", CALLS)
                    .isLessThanOrEqualTo(ENOUGH);
            assertThat(allocatedInTheEnd(() -> sum += map.containsKey(KEYS[next[0]++ % KEYS.length]) ? 1 : 0))
                    .as("bytes of %s look-ups", CALLS)
                    .isLessThanOrEqualTo(ENOUGH);
            assertThat(allocated(() -> sum += map.getOrDefault(KEYS[next[0]++ % KEYS.length], value).length))
                    .as("control: bytes of %s gets, which make an array each", CALLS)
                    .isGreaterThan(100L * CALLS);
        }
        assertThat(sum).isPositive();
    }
}
