package dev.larder.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RoundTimeTest {

    @Test
    void allowsTheFirstWhateverTheWarmUpTook() {
        RoundTime time = new RoundTime(1);
        time.took(-1, Duration.ofHours(1).toNanos());
        assertThat(time.allowsAnother()).isTrue();
    }

    @Test
    void allowsWhatFits() {
        RoundTime time = new RoundTime(600);
        time.took(0, Duration.ofSeconds(10).toNanos());
        assertThat(time.allowsAnother()).isTrue();
    }

    @Test
    void refusesWhatIsLongerThanIsLeft() {
        RoundTime time = new RoundTime(600);
        time.took(0, Duration.ofSeconds(601).toNanos());
        time.took(1, Duration.ofSeconds(1).toNanos());
        assertThat(time.allowsAnother()).isFalse();
    }
}
