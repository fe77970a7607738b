package dev.larder.lucene;

import dev.larder.memory.AddressReservation;

/** The capabilities of the machine and of this pass of the tests. */
final class TestMachine {

    private TestMachine() {}

    static boolean hasNativeCalls() {
        return AddressReservation.unavailable().isEmpty();
    }
}
