package dev.larder.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ArrivalsTest {

    @TempDir
    Path directory;

    @Test
    void poissonGapsHaveTheMeanAndTheSpreadOfAnExponentialDistribution() {
        Arrivals arrivals = Arrivals.poisson(1_000, 3);
        int count = 200_000;
        double sum = 0;
        double squares = 0;
        long last = 0;
        for (int i = 0; i < count; i++) {
            long next = arrivals.next();
            assertThat(next).isGreaterThanOrEqualTo(last);
            double gap = (next - last) / 1e6;
            sum += gap;
            squares += gap * gap;
            last = next;
        }
        assertThat(sum / count).isBetween(0.99, 1.01);
        assertThat(squares / count - Math.pow(sum / count, 2)).isBetween(0.97, 1.03);
    }

    @Test
    void theSameSeedGivesTheSameMoments() {
        Arrivals one = Arrivals.poisson(5, 9);
        Arrivals other = Arrivals.poisson(5, 9);
        Arrivals third = Arrivals.poisson(5, 10);
        long moment = one.next();
        assertThat(other.next()).isEqualTo(moment);
        assertThat(third.next()).isNotEqualTo(moment);
    }

    @Test
    void constantArrivalsDoNotDrift() {
        Arrivals arrivals = Arrivals.constant(3);
        for (int i = 0; i < 3_000_000; i++) {
            arrivals.next();
        }
        assertThat(arrivals.next()).isEqualTo(1_000_000_000_000_000L);
    }

    @Test
    void replaysAFile() throws IOException {
        Path file = Files.writeString(directory.resolve("arrivals"), "# seconds\n10\n\n10.5 # two\n10.5\n12e0\n");
        try (ReplayArrivals arrivals = new ReplayArrivals(file, 2)) {
            assertThat(arrivals.next()).isZero();
            assertThat(arrivals.next()).isEqualTo(250_000_000);
            assertThat(arrivals.next()).isEqualTo(250_000_000);
            assertThat(arrivals.next()).isEqualTo(1_000_000_000);
            assertThat(arrivals.next()).isEqualTo(Arrivals.END);
        }
    }

    @Test
    void namesTheLineThatIsWrong() throws IOException {
        assertRefused("1\nx\n", "line 2: 'x' is not a number of seconds");
        assertRefused("2\n1\n", "line 2: 1 s is not later than 2");
        assertRefused("NaN\n", "line 1: NaN");
        assertThatThrownBy(() -> new ReplayArrivals(directory.resolve("none"), 1))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("none");
    }

    private void assertRefused(String text, String reason) throws IOException {
        Path file = Files.writeString(directory.resolve("wrong"), text);
        try (ReplayArrivals arrivals = new ReplayArrivals(file, 1)) {
            assertThatThrownBy(() -> {
                        while (arrivals.next() != Arrivals.END) {
                            // until it fails
                        }
                    })
                    .isInstanceOf(LabException.class)
                    .hasMessageContaining(reason)
                    .hasMessageContaining("wrong");
        }
    }
}
