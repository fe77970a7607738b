package dev.larder.array.stripe;

import dev.larder.array.entry.SplitEntry;
import dev.larder.array.stripe.EntryValues.Parts;
import dev.larder.array.stripe.StripeState.Place;
import dev.larder.server.store.StoreOptions;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Random;

/**
 * Applies entries of a script without end. As Raft does, it writes their large values some entries before it applies them.
 * Sometimes it first writes the values of a leader whose entry then gives way. Arguments: folder, seed. Prints {@code APPLIES n}
 * before each entry.
 *
 * <pre>
 * | dropped | in the log, kept | in the log, applied | written ahead |
 * </pre>
 */
final class ValuesProgram {

    private static final int KEPT_ENTRIES = 37;
    private static final int LOG_ENTRIES = 20;
    private static final int AHEAD_ENTRIES = 6;
    private static final int GIVES_WAY_ONE_OF = 20;

    private final StoreStripe stripe;
    private final EntryValues values;
    private final EntryScript script;
    private final Random random;

    /** The first entry whose values are not written. */
    private long next;

    private ValuesProgram(StoreStripe stripe, long seed) {
        this.stripe = stripe;
        this.values = stripe.values().orElseThrow();
        this.script = new EntryScript(seed, true);
        this.random = new Random(seed + stripe.durable().index());
    }

    static StoreStripe open(Path directory) {
        StoreOptions options = StoreOptions.defaults()
                .withSegmentBytes(StripeProgram.SEGMENT_BYTES)
                .withPending(true);
        return StoreStripe.open(directory, options, InstantSource.system(), () -> {}, cause -> {});
    }

    /**
     * Continues with the state of an earlier process: the values of entries in its log, and of later entries, up to the first
     * entry that has none.
     *
     * @throws AssertionError if values are missing, or are not those of their entry
     */
    static ValuesProgram of(StoreStripe stripe, long seed) {
        ValuesProgram program = new ValuesProgram(stripe, seed);
        program.takeUp();
        return program;
    }

    private void takeUp() {
        long kept = stripe.durable().index();
        next = Math.max(0, kept - LOG_ENTRIES);
        while (claim(next)) {
            next++;
        }
        if (next <= kept) {
            throw new AssertionError("entry " + next + " has no values, and the store is kept at " + kept);
        }
        values.settle();
        for (long index = Math.max(0, kept - LOG_ENTRIES); index < next; index++) {
            requireValues(index);
        }
    }

    private boolean claim(long index) {
        return SplitEntry.split(script.entry(index)).isEmpty() || values.claim(new Place(1, index));
    }

    private void requireValues(long index) {
        Optional<Parts> parts = values.split(script.entry(index));
        if (parts.isPresent()
                && !parts.get().values().equals(values.read(new Place(1, index)).orElseThrow())) {
            throw new AssertionError("entry " + index + " has other values");
        }
    }

    /** Applies all entries up to one. */
    void applyTo(long end) {
        for (long index = stripe.durable().index() + 1; index < end; index++) {
            apply(index);
        }
    }

    private void apply(long index) {
        for (long ahead = index + random.nextInt(AHEAD_ENTRIES); next <= ahead; next++) {
            write(next);
        }
        ByteBuffer whole = script.entry(index);
        Place place = new Place(1, index);
        Optional<Parts> parts = values.split(whole);
        if (parts.isPresent()) {
            ByteBuffer own = random.nextBoolean()
                    ? values.read(place).orElseThrow()
                    : parts.get().values();
            stripe.apply(place, parts.get().log(), own, EntryReads.NONE);
        } else {
            stripe.apply(place, whole);
        }
        if (index % KEPT_ENTRIES == 0) {
            stripe.sync();
            values.purged(stripe.durable().index() - LOG_ENTRIES - 1);
        }
    }

    private void write(long index) {
        if (random.nextInt(GIVES_WAY_ONE_OF) == 0) {
            values.split(script.entry(index + 1_000_000))
                    .ifPresent(parts -> values.write(new Place(0, index), parts.log(), parts.values()));
            values.truncate(index);
        }
        values.split(script.entry(index))
                .ifPresent(parts -> values.write(new Place(1, index), parts.log(), parts.values()));
    }

    public static void main(String[] arguments) {
        StoreStripe stripe = open(Path.of(arguments[0]));
        ValuesProgram program = of(stripe, Long.parseLong(arguments[1]));
        for (long index = stripe.durable().index() + 1; ; index++) {
            System.out.println("APPLIES " + index);
            program.apply(index);
        }
    }
}
