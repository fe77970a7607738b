package dev.larder.queue;

import dev.larder.log.RecordWriter;
import dev.larder.memory.Utf8;
import java.lang.foreign.MemorySegment;

/** Writes a text as UTF-8. The writer is reused, so that a text costs no object. */
final class TextWriter implements RecordWriter {

    private CharSequence text = "";

    TextWriter of(CharSequence next) {
        text = next;
        return this;
    }

    @Override
    public void write(MemorySegment segment, long offset, int length) {
        Utf8.encodeExactly(text, segment, offset, length);
    }
}
