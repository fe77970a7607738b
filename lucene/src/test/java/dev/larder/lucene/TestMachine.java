package dev.larder.lucene;

import dev.larder.memory.AddressReservation;

/** What the machine and the pass of the tests have. */
final class TestMachine {

    private TestMachine() {}

    static boolean hasNativeCalls() {
        return AddressReservation.unavailable().isEmpty();
    }
}
