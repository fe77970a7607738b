package dev.larder.lucene;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.apache.lucene.store.IOContext;

/** What an input tells the system of the pages that it is going to read, and asks of them. */
interface Pages {

    /** Memory of our own: it is there, in whatever order it is read. */
    Pages IN_MEMORY = new Pages() {
        @Override
        public Pages expect(MemorySegment part, IOContext context) {
            return this;
        }

        @Override
        public void startReading(MemorySegment part) {}

        @Override
        public Optional<Boolean> areLoaded(MemorySegment part) {
            return Optional.of(true);
        }

        @Override
        public boolean areEfficientFor(IOContext context) {
            return true;
        }
    };

    /** Says how a part will be read, and returns the pages of that part. */
    Pages expect(MemorySegment part, IOContext context);

    /** Says that a part will be read soon: the disk may begin with it. */
    void startReading(MemorySegment part);

    /** Returns whether a part can be read without the disk; empty where nobody knows. */
    Optional<Boolean> areLoaded(MemorySegment part);

    /** Returns whether a way of reading suits what was said before. */
    boolean areEfficientFor(IOContext context);
}
