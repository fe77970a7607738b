package dev.larder.codec.schema;

import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import org.jspecify.annotations.Nullable;

/**
 * The code of arrays of numbers, which have the same form in the array as in a message. It writes a count, then all numbers at
 * once; -1 is null. The bytes are the same as with {@link ManyCode}.
 *
 * @param component the type of a number
 * @param layout the layout of a number in a message
 */
record NumbersCode(Class<?> component, ValueLayout layout) implements ValueCode {

    @Override
    public int lengthBytes(@Nullable Object value) {
        return value == null
                ? Integer.BYTES
                : Math.addExact(
                        Integer.BYTES, Math.multiplyExact(Array.getLength(value), Math.toIntExact(layout.byteSize())));
    }

    @Override
    public void write(@Nullable Object value, Output output) {
        if (value == null) {
            output.putInt(-1);
        } else {
            output.putNumbers(value, Array.getLength(value), layout);
        }
    }

    @Override
    public @Nullable Object read(Input input) {
        int count = input.getCount(Math.toIntExact(layout.byteSize()));
        return count < 0 ? null : input.getNumbers(Array.newInstance(component, count), count, layout);
    }
}
