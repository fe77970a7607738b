package dev.larder.codec.schema;

import dev.larder.codec.Codec;
import dev.larder.codec.CodecFolder;
import dev.larder.codec.ValueCodec;

/** A codec whose messages name the schema by which they were written. It is bound to a queue before it is used. */
public interface BoundCodec<T> extends Codec<T> {

    /**
     * Returns this codec bound to one queue, for one appender, one batch or one tailer. The bound codec may keep its place
     * in a message, so it must never have two users at a time. The messages of both would destroy each other, and the log.
     *
     * @param writing whether it writes; if so, its missing schemas are stored
     */
    Codec<T> in(Schemas schemas, boolean writing);

    @Override
    default ValueCodec<T> in(CodecFolder folder, boolean writing) {
        return in(new Schemas(folder), writing);
    }

    /** Returns a codec bound to a queue, if it is a codec that needs this; else the codec itself. */
    static <T> Codec<T> bind(Codec<T> codec, Schemas schemas, boolean writing) {
        return codec instanceof BoundCodec<T> bound ? bound.in(schemas, writing) : codec;
    }

    private static IllegalStateException unbound() {
        return new IllegalStateException(
                "this codec works only in a queue: call queue.appender(codec), queue.tailer(codec) or"
                        + " queue.typed(tailer, codec)");
    }

    @Override
    default int lengthBytes(T value) {
        throw unbound();
    }

    @Override
    default void write(T value, java.lang.foreign.MemorySegment segment, long offset, int length) {
        throw unbound();
    }

    @Override
    default T read(java.lang.foreign.MemorySegment segment, long offset, int length) {
        throw unbound();
    }
}
