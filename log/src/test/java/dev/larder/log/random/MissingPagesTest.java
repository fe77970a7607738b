package dev.larder.log.random;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class MissingPagesTest {

    private int forgotten;
    private final MissingPages missing = new MissingPages(() -> forgotten++);

    private long asked(int looks) {
        return IntStream.range(0, looks).filter(look -> missing.isToAsk()).count();
    }

    @Test
    void asksForOneIn128WhereAllWasThere() {
        assertThat(asked(12_800)).isEqualTo(100);
        missing.present();
        assertThat(asked(12_800)).isEqualTo(100);
        assertThat(forgotten).isZero();
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
        assertThat(asked(12_800)).isEqualTo(100);
        missing.missing();
        assertThat(forgotten).isEqualTo(2);
    }
}
