package dev.larder.jackson;

import dev.larder.codec.Codec;
import dev.larder.codec.ValueMismatchException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.dataformat.cbor.CBORFactory;
import tools.jackson.dataformat.cbor.CBORMapper;

/**
 * Values of any class that Jackson can write, as CBOR (RFC 8949). For queues and maps. Any thread may use it.
 *
 * <p><b>Evolution.</b> A field that a value lacks is read as null or zero. A field that the class lacks is ignored.
 *
 * <p><b>Safety.</b> The class to read is the codec's, and no bytes name another: there is no default typing. Values may be
 * as long as a record, and nested 500 deep.
 *
 * <p><b>Keys.</b> A map compares the bytes of keys, and of values that a method compares. Equal sets, equal maps, and decimals
 * that differ in scale may have other bytes. Do not use classes with such fields as keys. Times keep their offset and zone.
 *
 * <p>The codec encodes a value once, when it is asked for the length, and keeps the bytes for the calling thread until the
 * value is written.
 *
 * @param <T> the type of the values
 */
@SuppressWarnings("exports") // who uses this does not need the annotations of nullness
public final class CborCodec<T> implements Codec<T> {

    private static final int NAME_MAX_BYTES = 255;
    private static final CBORMapper MAPPER = mapper();

    private final String name;
    private final JavaType type;
    private final ObjectReader reader;
    private final ObjectWriter writer;

    /** One for each codec: a map asks for the lengths of a key and a value, and writes both then. */
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable Encoded> encoded = new ThreadLocal<>();

    private CborCodec(String name, JavaType type) {
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > NAME_MAX_BYTES) {
            throw new IllegalArgumentException("the name of a codec has " + bytes + " bytes; the most is "
                    + NAME_MAX_BYTES + ". Choose a shorter name with named(...): " + name);
        }
        this.name = name;
        this.type = type;
        this.reader = MAPPER.readerFor(type);
        this.writer = MAPPER.writerFor(type);
    }

    /** A value, and its bytes. */
    private static final class Encoded {

        private final Object value;
        private final byte[] bytes;

        Encoded(Object value, byte[] bytes) {
            this.value = value;
            this.bytes = bytes;
        }
    }

    /** Returns the codec of a class. Its name is {@code cbor:} and the name of the class. */
    public static <T> CborCodec<T> of(Class<T> type) {
        return of(MAPPER.constructType(type));
    }

    /** Returns the codec of a type with parameters: {@code new TypeReference<List<Trade>>() {}}. */
    public static <T> CborCodec<T> of(TypeReference<T> type) {
        return of(MAPPER.getTypeFactory().constructType(type));
    }

    private static <T> CborCodec<T> of(JavaType type) {
        return new CborCodec<>("cbor:" + type.toCanonical(), type);
    }

    /**
     * What can be written can be read: the only limit besides the record's is the depth. A time keeps its offset and its zone,
     * so that the value that was read equals the one that was written, and has its bytes.
     */
    private static CBORMapper mapper() {
        StreamReadConstraints limits = StreamReadConstraints.builder()
                .maxStringLength(Integer.MAX_VALUE)
                .maxNameLength(Integer.MAX_VALUE)
                .maxNumberLength(Integer.MAX_VALUE)
                .build();
        return CBORMapper.builder(
                        CBORFactory.builder().streamReadConstraints(limits).build())
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                .enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
                .build();
    }

    /**
     * Returns the codec with another name: for a class that was moved or renamed, after values of it were written.
     *
     * @param other 1 to 255 bytes of UTF-8 without control characters
     */
    public CborCodec<T> named(String other) {
        return new CborCodec<>(other, type);
    }

    /** Returns what the bytes are: {@code cbor:} and the type, unless {@link #named} chose another name. */
    @Override
    public String name() {
        return name;
    }

    @Override
    public int lengthBytes(T value) {
        byte[] bytes = encode(value);
        encoded.set(new Encoded(value, bytes));
        return bytes.length;
    }

    private byte[] encode(T value) {
        try {
            return writer.writeValueAsBytes(value);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(
                    "the value cannot be written as " + name + ": " + e.getOriginalMessage(), e);
        }
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // the bytes are those of this very object
    public void write(T value, MemorySegment segment, long offset, int length) {
        Encoded known = encoded.get();
        encoded.remove();
        byte[] bytes = known != null && known.value == value ? known.bytes : encode(value);
        if (bytes.length != length) {
            throw new IllegalArgumentException(
                    "the value has changed while it was written: it had " + length + " bytes, and has " + bytes.length);
        }
        MemorySegment.copy(bytes, 0, segment, ValueLayout.JAVA_BYTE, offset, length);
    }

    /**
     * Reads a value.
     *
     * @throws ValueMismatchException if the bytes are not CBOR, do not fit the type, or do not end with the value
     */
    @Override
    public T read(MemorySegment segment, long offset, int length) {
        byte[] bytes = segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
        try {
            return reader.readValue(bytes);
        } catch (StreamReadException e) {
            throw new ValueMismatchException("it is not CBOR: " + e.getOriginalMessage(), e);
        } catch (JacksonException e) {
            throw new ValueMismatchException("it is not a " + name + ": " + e.getOriginalMessage(), e);
        }
    }

    /** Codecs of the same type and name are equal: openings of one map share it if their codecs are. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof CborCodec<?> codec && codec.name.equals(name) && codec.type.equals(type);
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, type);
    }

    @Override
    public String toString() {
        return name;
    }
}
