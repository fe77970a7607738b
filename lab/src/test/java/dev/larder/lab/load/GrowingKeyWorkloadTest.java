package dev.larder.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class GrowingKeyWorkloadTest {

    private static final int REQUESTS = 100_000;

    private int gets;
    private int puts;
    private int news;

    private void count(GrowingKeyWorkload workload) {
        Request request = new Request();
        for (int i = 0; i < REQUESTS; i++) {
            workload.next(request);
            boolean isNew = request.argument() == GrowingKeyWorkload.NEW;
            assertThat(isNew || request.argument() >= 0).isTrue();
            assertThat(isNew && request.kind() == KeyWorkload.GET).isFalse();
            gets += request.kind() == KeyWorkload.GET ? 1 : 0;
            puts += request.kind() == KeyWorkload.PUT && !isNew ? 1 : 0;
            news += isNew ? 1 : 0;
        }
    }

    @Test
    void hasTheSharesThatWereAskedFor() {
        count(new GrowingKeyWorkload(40, 25, 1));
        assertThat(gets).isBetween(59_000, 61_000);
        assertThat(puts).isBetween(29_000, 31_000);
        assertThat(news).isBetween(9_500, 10_500);
    }

    @Test
    void hasNoNewKeyWithoutPuts() {
        count(new GrowingKeyWorkload(0, 100, 1));
        assertThat(gets).isEqualTo(REQUESTS);
    }

    @Test
    void refusesWhatIsNoShare() {
        assertThatThrownBy(() -> new GrowingKeyWorkload(10, 101, 1)).hasMessageContaining("found 10.0 and 101.0");
        assertThatThrownBy(() -> new GrowingKeyWorkload(-1, 10, 1)).hasMessageContaining("found -1.0 and 10.0");
    }
}
