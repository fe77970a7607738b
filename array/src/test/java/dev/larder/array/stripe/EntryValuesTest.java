package dev.larder.array.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.array.stripe.StripeState.Place;
import dev.larder.tests.support.Effort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Values that are written ahead of their entries, once, have the same effects as those within entries. */
@Tag(Effort.LONG)
final class EntryValuesTest {

    @TempDir(factory = MemoryFolder.class)
    private Path directory;

    /** Returns the content where the values are within the entries. */
    private Map<String, String> expected(long seed, long to) throws IOException {
        EntryScript script = new EntryScript(seed, true);
        try (StoreStripe reference = StripeProgram.open(Files.createTempDirectory(directory, "reference"))) {
            for (long index = 0; index < to; index++) {
                reference.apply(new Place(1, index), script.entry(index));
            }
            return StripeContent.of(reference);
        }
    }

    @Test
    void shouldHaveTheSameEffectsThoughItIsRestarted() throws IOException {
        Path folder = directory.resolve("restarted");
        for (long to = 40; to <= 160; to += 40) {
            try (StoreStripe stripe = ValuesProgram.open(folder)) {
                ValuesProgram.of(stripe, 1).applyTo(to);
                assertThat(StripeContent.of(stripe)).isEqualTo(expected(1, to)).isNotEmpty();
            }
        }
    }

    @Test
    void shouldLoseNoValueByAKill() throws Exception {
        int runs = Effort.of(2, 4, 200);
        Random random = new Random(runs);
        ProgramKills kills = new ProgramKills(directory, ValuesProgram.class);
        for (long seed = 1; seed <= runs; seed++) {
            Path folder = directory.resolve("killed" + seed);
            long to = kills.kill(folder, seed, 1 + random.nextInt(3), random);
            try (StoreStripe stripe = ValuesProgram.open(folder)) {
                ValuesProgram.of(stripe, seed).applyTo(to);
                assertThat(StripeContent.of(stripe))
                        .as("seed %d, %d entries", seed, to)
                        .isEqualTo(expected(seed, to));
            }
        }
    }

    /** The strings' log has each large value once, and the floor lets the cleaner take dead values. */
    @Test
    void shouldGiveSpaceBackOnceEntriesHaveGone() {
        Path folder = directory.resolve("space");
        try (StoreStripe stripe = ValuesProgram.open(folder)) {
            ValuesProgram program = ValuesProgram.of(stripe, 5);
            program.applyTo(100);
            long early = stripe.stores().store(0).memory().usedBytes();
            program.applyTo(400);
            assertThat(stripe.stores().store(0).memory().usedBytes()).isLessThan(early + (12 << 20));
        }
    }
}
