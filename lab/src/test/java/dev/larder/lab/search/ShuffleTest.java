package dev.larder.lab.search;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class ShuffleTest {

    @Test
    void eachPassHasAllOfThemInAnotherOrder() {
        Shuffle shuffle = new Shuffle(50, new SplittableRandom(1));
        int[] first = pass(shuffle);
        int[] second = pass(shuffle);
        assertThat(first).containsExactlyInAnyOrder(IntStream.range(0, 50).toArray());
        assertThat(second).containsExactlyInAnyOrder(first).isNotEqualTo(first);
    }

    private static int[] pass(Shuffle shuffle) {
        int[] pass = new int[50];
        for (int at = 0; at < pass.length; at++) {
            assertThat(shuffle.isPassDone()).isEqualTo(at == 0);
            pass[at] = shuffle.next();
        }
        return pass;
    }

    @Test
    void theSeedDecides() {
        assertThat(pass(new Shuffle(50, new SplittableRandom(3))))
                .isEqualTo(pass(new Shuffle(50, new SplittableRandom(3))))
                .isNotEqualTo(pass(new Shuffle(50, new SplittableRandom(4))));
    }
}
