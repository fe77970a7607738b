package dev.larder.cli.entry;

import dev.larder.codec.Codec;
import dev.larder.codec.TypedValue;
import dev.larder.codec.ValueCodec;
import dev.larder.memory.LarderException;
import dev.larder.queue.LarderQueue;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/** A reader of typed messages by the queue's schemas, without the program's types. */
final class TypedMessageReader {

    /** The length of the mark at the start of a typed message. No text in UTF-8 begins with the mark. */
    static final int MARK_BYTES = 4;

    private static final int MARK = 0xfd;

    private final ValueCodec<TypedValue> values;

    TypedMessageReader(LarderQueue queue) {
        this(queue.bind(Codec.values()));
    }

    /** Creates a reader with a codec that is bound to a directory. */
    TypedMessageReader(ValueCodec<TypedValue> values) {
        this.values = values;
    }

    /** Returns the value of a message; empty if the message is not typed, or its schema is not known here. */
    Optional<TypedValue> read(MemorySegment segment, long offset, int length) {
        if (length < MARK_BYTES || (segment.get(ValueLayout.JAVA_BYTE, offset) & 0xff) != MARK) {
            return Optional.empty();
        }
        try {
            return Optional.of(values.read(segment, offset, length));
        } catch (LarderException e) {
            return Optional.empty(); // begins like a typed message, but is not one
        }
    }

    /** Returns the name of a value's kind in answers. */
    static String kind(TypedValue value) {
        return value.schema().isMethod() ? "method" : "record";
    }

    ValueCodec<TypedValue> values() {
        return values;
    }
}
