package dev.larder.array.stripe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.array.stripe.StripeState.Place;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.LarderException;
import dev.larder.memory.doubles.PowerLossStorage;
import dev.larder.server.store.StoreOptions;
import dev.larder.tests.support.Effort;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The power fails while entries are applied, and each log loses an end of its own. After the same entries again, the stripe
 * equals one that was never disturbed.
 */
final class StripePowerLossTest {

    private static final Path STRIPE = Path.of("/", "stripe");
    private static final int ENTRIES = 12;

    @TempDir(factory = MemoryFolder.class)
    private Path directory;

    private static StoreStripe open(PowerLossStorage storage) {
        StoreOptions options = StoreOptions.defaults()
                .withSegmentBytes(StripeProgram.SEGMENT_BYTES)
                .withStorage(
                        HookedOptions.withStorage(LogOptions.defaults(), storage)
                                .withPrepareBytes(0),
                        storage);
        return StoreStripe.open(STRIPE, options, InstantSource.system(), () -> {}, cause -> {});
    }

    private static void apply(StoreStripe stripe, EntryScript script, long from, long to) {
        for (long index = from; index < to; index++) {
            stripe.apply(new Place(1, index), script.entry(index));
        }
    }

    @Test
    void whatComesAgainHasItsEffectsOnce() {
        int seeds = Effort.of(2, 10, 100);
        int behind = 0;
        for (long seed = 1; seed <= seeds; seed++) {
            behind += lose(seed, false);
        }
        assertThat(behind).as("entries that came again").isPositive();
    }

    /** The control: a stripe that continues with what each log has left is found out. */
    @Test
    void withoutTheWayBackLogsDoNotAgree() {
        int differences = 0;
        for (long seed = 1; seed <= 20 && differences == 0; seed++) {
            try {
                lose(seed, true);
            } catch (AssertionError | LarderException e) {
                differences++;
            }
        }
        assertThat(differences).isPositive();
    }

    /** Returns how many entries came again. */
    private int lose(long seed, boolean forgetful) {
        SplittableRandom random = new SplittableRandom(seed);
        EntryScript script = new EntryScript(seed);
        int again = 0;
        try (PowerLossStorage power = new PowerLossStorage(seed);
                StoreStripe stripe = open(power);
                StoreStripe reference = StripeProgram.open(directory.resolve("reference" + seed + forgetful))) {
            for (long index = 0; index < ENTRIES; index++) {
                apply(stripe, script, index, index + 1);
                apply(reference, script, index, index + 1);
                switch (random.nextInt(8)) {
                    case 0 -> stripe.sync();
                    case 1 -> stripe.stores().sync(); // the logs alone
                    case 2, 3 -> power.writeBackSome(0.6);
                    case 4 ->
                        again += requireSame(power, random, stripe.durable(), script, index, reference, forgetful);
                    default -> {}
                }
            }
            again += requireSame(power, random, stripe.durable(), script, ENTRIES - 1, reference, forgetful);
        }
        return again;
    }

    private static int requireSame(
            PowerLossStorage power,
            SplittableRandom random,
            Place durable,
            EntryScript script,
            long last,
            StoreStripe reference,
            boolean forgetful) {
        Map<String, String> expected = StripeContent.of(reference);
        try (PowerLossStorage image = power.image(random)) {
            if (forgetful) {
                KeptFile.forgetRestorePoints(
                        STRIPE.resolve("0"), image, new Mark(durable, script.millis(durable.index())));
            }
            try (StoreStripe stripe = open(image)) {
                assertThat(stripe.durable()).isEqualTo(durable);
                apply(stripe, script, durable.index() + 1, last + 1);
                assertThat(StripeContent.of(stripe)).isEqualTo(expected);
            }
        }
        return (int) (last - durable.index());
    }
}
