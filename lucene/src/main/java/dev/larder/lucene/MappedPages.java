package dev.larder.lucene;

import dev.larder.memory.AccessOrder;
import dev.larder.memory.LarderException;
import dev.larder.memory.Storage;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.store.ReadAdvice;

/**
 * The pages of a mapped file, which come from the disk. All inputs of the file share its mapping, so the kernel follows the
 * advice of the last input that gave any.
 *
 * <p>A check whether pages are in memory costs as much as a read. So after each check that finds them, the next one comes after
 * twice as many requests. A missing page resets this.
 *
 * @param storage the storage that made the mapping
 * @param name the file's name
 * @param requestsSinceMiss how often all inputs of the file announced reads since a page was missing
 * @param advice the advice given for these pages
 */
record MappedPages(Storage storage, String name, AtomicInteger requestsSinceMiss, ReadAdvice advice) implements Pages {

    /** Returns the pages of a storage's mapping, without any advice so far. */
    static MappedPages of(Storage storage, String name) {
        return new MappedPages(storage, name, new AtomicInteger(), ReadAdvice.NORMAL);
    }

    @Override
    public Pages expect(MemorySegment part, IOContext context) {
        ReadAdvice wanted = wanted(context);
        if (wanted == advice || part.byteSize() == 0) {
            return this;
        }
        hint(() -> storage.expect(part, order(wanted)));
        return new MappedPages(storage, name, requestsSinceMiss, wanted);
    }

    /** Returns how Lucene's own directory would have the file read. */
    private ReadAdvice wanted(IOContext context) {
        return MMapDirectory.ADVISE_BY_CONTEXT.apply(name, context).orElse(ReadAdvice.NORMAL);
    }

    private static AccessOrder order(ReadAdvice advice) {
        return switch (advice) {
            case NORMAL -> AccessOrder.NORMAL;
            case RANDOM -> AccessOrder.RANDOM;
            case SEQUENTIAL -> AccessOrder.SEQUENTIAL;
        };
    }

    @Override
    public void startReading(MemorySegment part) {
        int requests = requestsSinceMiss.getAndIncrement();
        boolean isTurn = (requests & (requests - 1)) == 0; // 0, 1, 2, 4, 8 ...
        if (isTurn && !areLoaded(part).orElse(false)) {
            requestsSinceMiss.set(0);
            hint(() -> storage.startReading(part));
        }
    }

    @Override
    public Optional<Boolean> areLoaded(MemorySegment part) {
        if (part.byteSize() == 0) {
            return Optional.of(true);
        }
        try {
            return storage.tellsResidence() ? Optional.of(storage.isResident(part)) : Optional.empty();
        } catch (LarderException e) {
            log(e);
            return Optional.empty();
        }
    }

    /**
     * Returns whether a context suits the advice. A file opened for one order does not suit the other; without advice any order
     * does.
     */
    @Override
    public boolean areEfficientFor(IOContext context) {
        ReadAdvice wanted = wanted(context);
        return switch (advice) {
            case NORMAL -> true;
            case RANDOM -> wanted != ReadAdvice.SEQUENTIAL;
            case SEQUENTIAL -> wanted != ReadAdvice.RANDOM;
        };
    }

    /** Gives the system a hint. If the system refuses it, the search does not fail. */
    private void hint(Runnable telling) {
        try {
            telling.run();
        } catch (LarderException e) {
            log(e);
        }
    }

    private void log(LarderException refusal) {
        System.getLogger("dev.larder.lucene").log(Level.DEBUG, name + ": the system refuses hints", refusal);
    }
}
