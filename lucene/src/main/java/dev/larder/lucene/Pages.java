package dev.larder.lucene;

import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.apache.lucene.store.IOContext;

/** The pages that an input is going to read: gives the system advice on them, and queries their state. */
interface Pages {

    /** Our own memory: it is always loaded, and may be read in any order. */
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

    /** Announces how a part will be read, and returns the pages of that part. */
    Pages expect(MemorySegment part, IOContext context);

    /** Announces that a part will be read soon, so the disk may begin to read it. */
    void startReading(MemorySegment part);

    /** Returns whether a part can be read without the disk; empty if unknown. */
    Optional<Boolean> areLoaded(MemorySegment part);

    /** Returns whether a way of reading suits the advice given before. */
    boolean areEfficientFor(IOContext context);
}
