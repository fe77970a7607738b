package dev.larder.array.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class KeysTest {

    private static final int CALLS = 1000;

    /** A checker would have to try every place of each write without an answer. */
    @Test
    void leavesAKeyToWhichManyWritesAreWithoutAnAnswer() {
        Keys keys = new Keys(key -> key.equals("stream9-0") ? 8 : 7, true);
        SplittableRandom random = new SplittableRandom(1);
        Set<String> next = new HashSet<>();
        for (int call = 0; call < CALLS; call++) {
            next.add(keys.next(random));
        }
        assertThat(next).contains("stream8-0", "stream9-0", "stream9-1").doesNotContain("stream8-1", "stream9-2");
    }
}
