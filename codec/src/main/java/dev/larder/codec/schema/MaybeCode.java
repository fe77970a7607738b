package dev.larder.codec.schema;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The code of a value or none: a byte that says which, then the value. */
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
     * The code of values that are kept in another form.
     *
     * @param kept the code of the form that is written
     * @param toKept returns the form that is written
     * @param fromKept returns the form that is read
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

    /** The code of a record within itself: known when the record's is made. */
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
