package dev.larder.log.background;

import dev.larder.log.LogLayout;
import dev.larder.log.Position;
import dev.larder.log.segment.Segment;
import dev.larder.memory.Storage;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The pages ahead of the tail that are kept in memory, if the options require it. Without this, a system short of memory would
 * write prepared pages back and evict them, and the writer would wait until they are read again.
 *
 * <pre>
 *  written back, released |  written  | prepared           | not there yet
 * ------------------------|===========|====================|-----------------
 *                     released       tail              last step
 * </pre>
 *
 * <p>Pages behind the tail are released in pieces of 1 MiB, before their page tables are. A refusal (the limit of the process,
 * no native access) is logged once; the log continues with the pages that are locked.
 */
public final class LockedPages {

    private static final long PIECE_BYTES = 1L << 20;
    private static final long PAGE_BYTES = 4096;
    private static final System.Logger LOGGER = System.getLogger("dev.larder.log");

    private final Storage storage;
    private final LogLayout layout;
    private final Consumer<String> warnings;
    private boolean refused;

    /** The position below which no page is locked, now or later. */
    private long released;

    public LockedPages(Storage storage, LogLayout layout) {
        this(storage, layout, warning -> LOGGER.log(System.Logger.Level.WARNING, warning));
    }

    public LockedPages(Storage storage, LogLayout layout, Consumer<String> warnings) {
        this.storage = storage;
        this.layout = layout;
        this.warnings = warnings;
    }

    /** Locks a range that was just loaded, except the part that the tail has passed meanwhile. */
    synchronized void lock(Segment segment, long from, long to) {
        long start = Math.max(from, releasedIn(segment));
        if (layout.lockPages() && !refused && start < to) {
            Optional<String> refusal = storage.lockPages(slice(segment, start, to));
            refusal.ifPresent(why -> tell(segment, why));
            refused = refusal.isPresent();
        }
    }

    private void tell(Segment segment, String why) {
        long wanted = layout.prepareBytes() + Preparation.STEP_BYTES + PIECE_BYTES;
        warnings.accept(segment.path + ": cannot lock more pages in memory, and goes on without: " + why
                + "; the log locks up to " + wanted
                + " bytes: the prepared space (prepareBytes) and the pages at the tail");
    }

    /** Releases the pages behind the tail, once they make a piece. */
    void releaseBehind(Segment tail, long offset) {
        if (offset - releasedIn(tail) >= PIECE_BYTES) {
            releaseUpTo(tail, offset & -PIECE_BYTES);
        }
    }

    /** Releases a segment up to an offset, except the page of that offset. */
    synchronized void releaseUpTo(Segment segment, long offset) {
        long from = releasedIn(segment);
        long to = offset & -PAGE_BYTES;
        if (layout.lockPages() && from < to) {
            storage.unlockPages(slice(segment, from, to));
            released = segment.position(to);
        }
    }

    private synchronized long releasedIn(Segment segment) {
        long in = Position.segment(released) - (long) segment.number;
        return in > 0 ? segment.limit : in == 0 ? Position.offset(released) : 0;
    }

    private static MemorySegment slice(Segment segment, long from, long to) {
        return segment.memory.asSlice(from, to - from);
    }
}
