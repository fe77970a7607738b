package dev.larder.codec.schema;

import dev.larder.codec.SchemaMismatchException;
import dev.larder.codec.SchemaType.Simple;
import dev.larder.memory.Utf8;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The code of the types that are one word, except those with a length. */
public record SimpleCode(int bytes, BiConsumer<Object, Output> writer, Function<Input, Object> reader)
        implements ValueCode {

    public static ValueCode of(Simple type) {
        return switch (type) {
            case BOOLEAN -> code(type, (value, output) -> output.putBoolean((Boolean) value), Input::getBoolean);
            case BYTE -> code(type, (value, output) -> output.putByte((Byte) value), Input::getByte);
            case SHORT -> code(type, (value, output) -> output.putShort((Short) value), Input::getShort);
            case CHAR -> code(type, (value, output) -> output.putChar((Character) value), Input::getChar);
            case INT -> code(type, (value, output) -> output.putInt((Integer) value), Input::getInt);
            case LONG -> code(type, (value, output) -> output.putLong((Long) value), Input::getLong);
            case FLOAT -> code(type, (value, output) -> output.putFloat((Float) value), Input::getFloat);
            case DOUBLE -> code(type, (value, output) -> output.putDouble((Double) value), Input::getDouble);
            case INSTANT -> code(type, SimpleCode::putInstant, SimpleCode::getInstant);
            case DURATION -> code(type, SimpleCode::putDuration, SimpleCode::getDuration);
            case DATE ->
                code(type, (value, output) -> output.putLong(((LocalDate) value).toEpochDay()), SimpleCode::getDate);
            case TIME ->
                code(type, (value, output) -> output.putLong(((LocalTime) value).toNanoOfDay()), SimpleCode::getTime);
            case UUID -> code(type, SimpleCode::putUuid, input -> new UUID(input.getLong(), input.getLong()));
            case TEXT -> new TextCode();
            case BYTES -> new BytesCode();
            case DECIMAL -> new DecimalCode();
        };
    }

    private static ValueCode code(Simple type, BiConsumer<Object, Output> writer, Function<Input, Object> reader) {
        return new SimpleCode(type.bytes, writer, reader);
    }

    private static void putInstant(Object value, Output output) {
        Instant instant = (Instant) value;
        output.putLong(instant.getEpochSecond());
        output.putInt(instant.getNano());
    }

    private static Instant getInstant(Input input) {
        return ranged(() -> Instant.ofEpochSecond(input.getLong(), input.getInt()));
    }

    private static void putDuration(Object value, Output output) {
        Duration duration = (Duration) value;
        output.putLong(duration.getSeconds());
        output.putInt(duration.getNano());
    }

    private static Duration getDuration(Input input) {
        return ranged(() -> Duration.ofSeconds(input.getLong(), input.getInt()));
    }

    private static LocalDate getDate(Input input) {
        return ranged(() -> LocalDate.ofEpochDay(input.getLong()));
    }

    private static LocalTime getTime(Input input) {
        return ranged(() -> LocalTime.ofNanoOfDay(input.getLong()));
    }

    /** Reads a value of java.time. Its bytes can hold values outside the type's range. */
    private static <T> T ranged(java.util.function.Supplier<T> read) {
        try {
            return read.get();
        } catch (java.time.DateTimeException | ArithmeticException e) {
            throw new SchemaMismatchException("it has a time out of range: " + e.getMessage(), e);
        }
    }

    private static void putUuid(Object value, Output output) {
        UUID uuid = (UUID) value;
        output.putLong(uuid.getMostSignificantBits());
        output.putLong(uuid.getLeastSignificantBits());
    }

    @Override
    public int lengthBytes(@Nullable Object value) {
        return bytes;
    }

    @Override
    public void write(@Nullable Object value, Output output) {
        if (value == null) {
            throw new IllegalArgumentException("null, where the record needs a value of a primitive type");
        }
        writer.accept(value, output);
    }

    @Override
    public Object read(Input input) {
        return reader.apply(input);
    }

    /** Texts: their length, and UTF-8. */
    private static final class TextCode implements ValueCode {

        @Override
        public int lengthBytes(@Nullable Object value) {
            return value == null ? Integer.BYTES : Math.addExact(Integer.BYTES, Utf8.lengthBytes((String) value));
        }

        @Override
        public void write(@Nullable Object value, Output output) {
            if (value == null) {
                output.putInt(-1);
            } else {
                output.putText((String) value);
            }
        }

        @Override
        public @Nullable Object read(Input input) {
            int length = input.getCount(1);
            return length < 0 ? null : new String(input.getBytes(length), StandardCharsets.UTF_8);
        }
    }

    /** Arrays of bytes: their length, and the bytes. */
    private static final class BytesCode implements ValueCode {

        @Override
        public int lengthBytes(@Nullable Object value) {
            return value == null ? Integer.BYTES : Math.addExact(Integer.BYTES, ((byte[]) value).length);
        }

        @Override
        public void write(@Nullable Object value, Output output) {
            if (value == null) {
                output.putInt(-1);
            } else {
                output.putBytes((byte[]) value);
            }
        }

        @Override
        public @Nullable Object read(Input input) {
            int length = input.getCount(1);
            return length < 0 ? null : input.getBytes(length);
        }
    }

    /** Decimals: the scale, then the unscaled number. */
    private static final class DecimalCode implements ValueCode {

        @Override
        public int lengthBytes(@Nullable Object value) {
            BigInteger unscaled = ((BigDecimal) java.util.Objects.requireNonNull(value)).unscaledValue();
            return 2 * Integer.BYTES + unscaled.bitLength() / Byte.SIZE + 1;
        }

        @Override
        public void write(@Nullable Object value, Output output) {
            BigDecimal decimal = (BigDecimal) java.util.Objects.requireNonNull(value);
            output.putInt(decimal.scale());
            output.putBytes(decimal.unscaledValue().toByteArray());
        }

        @Override
        public Object read(Input input) {
            int scale = input.getInt();
            int length = input.getCount(1);
            if (length < 1) {
                throw new SchemaMismatchException("it has a decimal of " + length + " bytes");
            }
            return new BigDecimal(new BigInteger(input.getBytes(length)), scale);
        }
    }
}
