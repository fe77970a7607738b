package dev.larder.lab.heap;

import dev.larder.lab.load.KeyedValue;

/** A {@link KeyedValue} of {@value #BYTES} bytes. */
public final class Value {

    /** The bytes of a value. */
    public static final int BYTES = 1700;

    private Value() {}

    /** Writes a value at the beginning of an array. */
    public static void write(byte[] bytes, long key, long version) {
        KeyedValue.write(bytes, BYTES, key, version);
    }

    /** Returns whether an array begins with a whole value of a key; reads every byte. */
    public static boolean isWhole(byte[] bytes, long key) {
        return KeyedValue.isWhole(bytes, BYTES, key);
    }
}
