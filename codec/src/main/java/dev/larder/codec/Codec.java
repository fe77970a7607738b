package dev.larder.codec;

import dev.larder.codec.schema.FixedViews;
import dev.larder.codec.schema.Lookups;
import dev.larder.codec.schema.PlainCodec;
import dev.larder.codec.schema.RecordCodec;
import dev.larder.codec.schema.ValuesCodec;
import java.lang.invoke.MethodHandles.Lookup;

/**
 * How values of a type lie in messages: where the message is claimed they are written, and read where it lies.
 *
 * <p>Codecs have no state and may be used by any thread. For values of your own kind implement the three methods; the
 * codecs of Java records ({@link #records}) write down once in each queue how their messages are to be read.
 *
 * @param <T> the values
 */
public interface Codec<T> extends ValueCodec<T> {

    /** Texts as UTF-8, as {@link Appender#append(CharSequence)} writes them: the message is the text. */
    static Codec<String> texts() {
        return new PlainCodec<>(ValueCodec.texts());
    }

    /** Arrays of bytes: the message is the bytes. */
    static Codec<byte[]> bytes() {
        return new PlainCodec<>(ValueCodec.bytes());
    }

    /** Messages of one {@code long}: 8 bytes. */
    static Codec<Long> longs() {
        return new PlainCodec<>(ValueCodec.longs());
    }

    /** Messages of one {@code int}: 4 bytes. */
    static Codec<Integer> ints() {
        return new PlainCodec<>(ValueCodec.ints());
    }

    /** Messages of one {@code double}: 8 bytes. */
    static Codec<Double> doubles() {
        return new PlainCodec<>(ValueCodec.doubles());
    }

    /**
     * Records of a class, or of all the classes that a sealed interface permits. The names and types of their components
     * are written once in each queue; see {@code docs/formats/queue.md} for the bytes.
     *
     * <p>A component that a message does not have is read as zero, null, an empty list or an empty map; one that only the
     * message has is skipped; one of another type is a {@link SchemaMismatchException}.
     *
     * @throws IllegalArgumentException where a component is of a type that has no form in messages, with its name; or the
     *     class is not open to Larder: then pass a lookup
     */
    static <T> Codec<T> records(Class<T> type) {
        return records(type, Lookups.of(type));
    }

    /** Records that the maker of a lookup can use: {@code MethodHandles.lookup()}. As {@link #records(Class)}. */
    static <T> Codec<T> records(Class<T> type, Lookup lookup) {
        return new RecordCodec<>(type, lookup);
    }

    /**
     * Messages of a fixed layout, seen through an interface of getters and setters of primitive types.
     *
     * @throws IllegalArgumentException where a method is neither, or of another type; or where the interface is in another
     *     named module: then pass a lookup
     */
    static <T> ViewCodec<T> views(Class<T> type) {
        return views(type, Lookups.of(type));
    }

    /** Messages of a fixed layout, seen through an interface of the lookup's package. As {@link #views(Class)}. */
    static <T> ViewCodec<T> views(Class<T> type, Lookup lookup) {
        return new FixedViews<>(type, lookup);
    }

    /** Typed messages of any schema that is in the queue, as values of JSON: for programs that do not have the types. */
    static Codec<TypedValue> values() {
        return ValuesCodec.INSTANCE;
    }
}
