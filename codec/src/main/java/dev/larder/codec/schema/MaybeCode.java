package dev.larder.codec.schema;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The code of an optional value: a byte that says whether there is one, then the value. */
public record MaybeCode(ValueCode value) implements ValueCode {

    @Override
    public int lengthBytes(@Nullable Object present) {
        return present == null ? 1 : Math.addExact(1, value.lengthBytes(present));
    }

    @Override
    public void write(@Nullable Object present, Output output) {
        output.putBoolean(present != null);
        if (present != null) {
            value.write(present, output);
        }
    }

    @Override
    public @Nullable Object read(Input input) {
        return input.getBoolean() ? value.read(input) : null;
    }

    /**
     * The code of values that are stored in another form.
     *
     * @param kept the code of the stored form
     * @param toKept converts a value into the stored form
     * @param fromKept converts the stored form into the value
     */
    public record Converted(
            ValueCode kept,
            Function<@Nullable Object, @Nullable Object> toKept,
            Function<@Nullable Object, @Nullable Object> fromKept)
            implements ValueCode {

        @Override
        public int lengthBytes(@Nullable Object value) {
            return kept.lengthBytes(toKept.apply(value));
        }

        @Override
        public void write(@Nullable Object value, Output output) {
            kept.write(toKept.apply(value), output);
        }

        @Override
        public @Nullable Object read(Input input) {
            return fromKept.apply(kept.read(input));
        }
    }

    /** The code of a record that contains itself. It is set when the record's code is made. */
    public static final class Later implements ValueCode {

        private @Nullable ValueCode code;

        ValueCode is(ValueCode made) {
            code = made;
            return made;
        }

        private ValueCode code() {
            assert code != null : "used before it was made";
            return java.util.Objects.requireNonNull(code);
        }

        @Override
        public int lengthBytes(@Nullable Object value) {
            return code().lengthBytes(value);
        }

        @Override
        public void write(@Nullable Object value, Output output) {
            code().write(value, output);
        }

        @Override
        public @Nullable Object read(Input input) {
            return code().read(input);
        }
    }
}
