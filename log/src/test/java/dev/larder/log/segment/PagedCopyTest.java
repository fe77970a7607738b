package dev.larder.log.segment;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Which bytes a copy page by page writes, and which it leaves alone. */
class PagedCopyTest {

    private static final int ROOM = 5 * 4096;

    @Test
    void copiesEveryByteAndNoOther() {
        Random random = new Random(7);
        byte[] source = new byte[ROOM];
        random.nextBytes(source);
        for (int round = 0; round < 2000; round++) {
            int from = random.nextInt(4096);
            int to = random.nextInt(4096 + 1);
            int length = random.nextInt(ROOM - 4096 - 1);
            byte[] target = new byte[ROOM];
            byte[] expected = target.clone();
            System.arraycopy(source, from, expected, to, length);
            PagedCopy.copy(MemorySegment.ofArray(source), from, MemorySegment.ofArray(target), to, length);
            assertThat(Arrays.mismatch(target, expected)).isEqualTo(-1);
        }
    }
}
