package dev.larder.lab.load;

import dev.larder.lab.result.Require;
import java.util.List;

/** Writes among operations, and new keys among writes, in percent, as options of several experiments name them. */
public final class WriteShares {

    private WriteShares() {}

    /**
     * Checks that new keys are a share of something.
     *
     * @throws IllegalArgumentException where it is not; the text names the option, the value and the range
     */
    public static void check(List<? extends Number> writesPercent, int newKeysPercent) {
        Require.that(
                newKeysPercent == 0 || writesPercent.stream().anyMatch(percent -> percent.doubleValue() > 0),
                "--new-keys " + newKeysPercent + " is a share of what is written, and --writes " + writesPercent
                        + " asks for nothing");
    }
}
