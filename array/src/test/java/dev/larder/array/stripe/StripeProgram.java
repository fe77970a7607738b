package dev.larder.array.stripe;

import dev.larder.array.stripe.StripeState.Place;
import java.nio.file.Path;
import java.time.InstantSource;

/**
 * Applies entries of a script to a stripe without end, and makes all durable now and then. Arguments: folder, seed. Before each
 * entry it prints {@code APPLIES n}.
 */
final class StripeProgram {

    static final long SEGMENT_BYTES = 2 << 20;
    private static final int SYNCED_ENTRIES = 37;

    private StripeProgram() {}

    static StoreStripe open(Path directory) {
        return StoreStripe.open(directory, SEGMENT_BYTES, InstantSource.system(), () -> {}, cause -> {});
    }

    public static void main(String[] arguments) {
        EntryScript script = new EntryScript(Long.parseLong(arguments[1]));
        StoreStripe stripe = open(Path.of(arguments[0]));
        for (long index = stripe.durable().index() + 1; ; index++) {
            System.out.println("APPLIES " + index);
            stripe.apply(new Place(1, index), script.entry(index));
            if (index % SYNCED_ENTRIES == 0) {
                stripe.sync();
            }
        }
    }
}
