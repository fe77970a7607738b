package dev.larder.codec;

import dev.larder.codec.schema.FixedViews;
import dev.larder.codec.schema.Lookups;
import dev.larder.codec.schema.PlainCodec;
import dev.larder.codec.schema.RecordCodec;
import dev.larder.codec.schema.ValuesCodec;
import java.lang.invoke.MethodHandles.Lookup;

/**
 * A codec of values in messages. It writes a value in place in the mapped file, and reads it there.
 *
 * <p>Codecs have no state, and any thread may use them. For values of your own, implement the four methods of
 * {@link ValueCodec}. A queue never calls {@link ValueCodec#in} of your codecs: threads may share a typed appender, and what
 * that method returns is for one thread. The codecs of Java records ({@link #records}) store their schemas in each queue, one time.
 *
 * <p>A map accepts these codecs, too, except {@link #views}. For a map, {@code Codec.longs()} and {@link ValueCodec#longs} are
 * the same codec, and so are the others of those names.
 *
 * @param <T> the type of the values
 */
public interface Codec<T> extends ValueCodec<T> {

    /**
     * Returns the codec of texts as UTF-8. The message is the text, as a queue's appender also writes it.
     */
    static Codec<String> texts() {
        return new PlainCodec<>(ValueCodec.texts());
    }

    /** Returns the codec of arrays of bytes: the message is the bytes. */
    static Codec<byte[]> bytes() {
        return new PlainCodec<>(ValueCodec.bytes());
    }

    /** Returns the codec of one {@code long}: 8 bytes, little-endian. */
    static Codec<Long> longs() {
        return new PlainCodec<>(ValueCodec.longs());
    }

    /** Returns the codec of one {@code int}: 4 bytes, little-endian. */
    static Codec<Integer> ints() {
        return new PlainCodec<>(ValueCodec.ints());
    }

    /** Returns the codec of one {@code double}: 8 bytes, little-endian. */
    static Codec<Double> doubles() {
        return new PlainCodec<>(ValueCodec.doubles());
    }

    /**
     * Returns the codec of a record class, or of all the record classes that a sealed interface permits. It stores the
     * names and types of their components in each queue, one time. {@code docs/formats/queue.md} describes the bytes.
     * Its name is {@code record:Trade}, or {@code records:Event} for an interface, with the simple name of the class.
     *
     * <p>A component that a message lacks is read as zero, null, an empty list or an empty map. A component that only
     * the message has is skipped. A component of another type is a {@link SchemaMismatchException}.
     *
     * @throws IllegalArgumentException if a component's type has no form in messages, with the component's name; or if
     *     the class is not open to Larder, and needs a lookup
     */
    static <T> Codec<T> records(Class<T> type) {
        return records(type, Lookups.of(type));
    }

    /**
     * Returns the codec of records that a lookup can access ({@code MethodHandles.lookup()}); else like
     * {@link #records(Class)}.
     */
    static <T> Codec<T> records(Class<T> type, Lookup lookup) {
        return new RecordCodec<>(type, lookup);
    }

    /**
     * Returns the codec of messages with a fixed layout, which an interface of getters and setters of primitive types
     * presents. Its name is that of a record with the interface's simple name.
     *
     * @throws IllegalArgumentException if a method is neither a getter nor a setter, or has another type; or if the
     *     interface is in another named module, and needs a lookup
     */
    static <T> ViewCodec<T> views(Class<T> type) {
        return views(type, Lookups.of(type));
    }

    /**
     * Returns the codec of messages with a fixed layout, for an interface in the lookup's package; else like
     * {@link #views(Class)}.
     */
    static <T> ViewCodec<T> views(Class<T> type, Lookup lookup) {
        return new FixedViews<>(type, lookup);
    }

    /**
     * Returns the codec of typed messages of any schema in the queue, as values of JSON: for programs without the
     * types. Its name is {@code record}.
     */
    static Codec<TypedValue> values() {
        return ValuesCodec.INSTANCE;
    }
}
