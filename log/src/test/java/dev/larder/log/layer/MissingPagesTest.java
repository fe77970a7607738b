package dev.larder.log.layer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class MissingPagesTest {

    private int forgotten;
    private final MissingPages missing = new MissingPages(() -> forgotten++);

    private long asked(int looks) {
        return IntStream.range(0, looks)
                .filter(look -> missing.isToAsk(look * 136L))
                .count();
    }

    @Test
    void asksForOneIn128WhereAllWasThere() {
        assertThat(asked(12_800)).isBetween(30L, 250L);
        missing.present();
        assertThat(asked(12_800)).isBetween(30L, 250L);
        assertThat(forgotten).isZero();
    }

    /** Records of one length lie at places that have bits in common. */
    @Test
    void asksForOneIn128OfPlacesOfAnyStride() {
        for (long stride : new long[] {8, 64, 1024, 1712, 4096, 1 << 20}) {
            long asked = IntStream.range(0, 12_800)
                    .filter(look -> missing.isToAsk(look * stride))
                    .count();
            assertThat(asked).as("stride " + stride).isBetween(30L, 250L);
        }
    }

    @Test
    void asksForTheSamePlaceOnceAndThenForOthers() {
        long place = IntStream.range(0, 100_000)
                .filter(look -> missing.isToAsk(look * 8L))
                .findFirst()
                .orElseThrow();
        assertThat(missing.isToAsk(place * 8)).isFalse();
    }

    @Test
    void asksForEachFromTheFirstThatIsMissingUntil4096WereThere() {
        missing.missing();
        missing.missing();
        assertThat(forgotten).isEqualTo(1);
        assertThat(asked(6400)).isEqualTo(6400);
        IntStream.range(0, 4095).forEach(look -> missing.present());
        assertThat(asked(100)).isEqualTo(100);
        missing.missing(); // begins anew
        IntStream.range(0, 4095).forEach(look -> missing.present());
        assertThat(missing.isAlert()).isTrue();
        missing.present();
        assertThat(missing.isAlert()).isFalse();
        assertThat(asked(12_800)).isBetween(30L, 250L);
        missing.missing();
        assertThat(forgotten).isEqualTo(2);
    }
}
