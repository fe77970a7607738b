package dev.larder.map.shared;

import static dev.larder.map.format.IndexFileLayout.BATCHES;
import static dev.larder.map.format.IndexFileLayout.BATCH_FROM;
import static dev.larder.map.format.IndexFileLayout.BATCH_OWNER;
import static dev.larder.map.format.IndexFileLayout.BATCH_TO;

import dev.larder.log.Position;
import dev.larder.map.format.IndexFileLayout;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The places in the log of the batches of loaders of all processes, from before a batch is appended until its last record is
 * linked.
 *
 * <pre>
 *  line     owner, LEFT | from | to
 *
 *  begin    owner: 0 to the process's owner    from: below the batch, which is not claimed yet
 *  append   from, to: its place in the log
 *  end      0                                  all of it is linked, or was put again
 *  leave    LEFT                               its loader has met an error; a dead owner counts as the same
 * </pre>
 *
 * <p>The records of a batch are committed before they are linked. A batch that is left has records in the log that the index
 * does not know: a replay would link them. So the cleaner links them first ({@code LeftBatches}), and a checkpoint is
 * replayed from the first of them on. All of a line but the first word belongs to its owner until the batch is left, and then
 * to the cleaner.
 */
public final class Batches {

    public static final int NONE = -1;

    private static final long LEFT = 1L << 32;

    /** Distinguishes position 0 from no position: positions are multiples of 8. */
    private static final long SET = 1;

    private final MemorySegment memory;
    private final Processes processes;

    public Batches(IndexFile file, Processes processes) {
        this.memory = file.memory();
        this.processes = processes;
    }

    /** Receives a batch that is left: its line, and its place in the log. */
    @FunctionalInterface
    public interface LeftHandler {
        void onLeft(int line, long from, long to);
    }

    /** A part of the log that holds a left batch, and perhaps other records. */
    public record Extent(long from, long to) {

        public boolean contains(long position) {
            return from <= position && position < to;
        }
    }

    private static long at(int line) {
        return IndexFileLayout.batch(line);
    }

    private long owner() {
        return Integer.toUnsignedLong(processes.owner());
    }

    /**
     * Records a batch that will be claimed in a segment or behind it. The caller is pinned. Returns the batch's line, or
     * {@link #NONE} if all are taken.
     */
    public int begin(int segment) {
        for (int line = 0; line < BATCHES; line++) {
            if (Words.compareAndSet(memory, at(line) + BATCH_OWNER, 0, owner())) {
                Words.setRelease(memory, at(line) + BATCH_TO, 0);
                Words.setVolatile(memory, at(line) + BATCH_FROM, Position.of(segment, 0) | SET);
                return line;
            }
        }
        return NONE;
    }

    /** Records the place of a batch in the log, before any of it is linked. */
    public void appended(int line, long from, long to) {
        Words.setRelease(memory, at(line) + BATCH_FROM, from | SET);
        Words.setRelease(memory, at(line) + BATCH_TO, to | SET);
    }

    /** Records that a batch is linked. */
    public void end(int line) {
        Words.setRelease(memory, at(line) + BATCH_FROM, 0);
        Words.setRelease(memory, at(line) + BATCH_OWNER, 0);
    }

    /** Records that the part of a left batch before a position no longer counts. */
    public void moveTo(int line, long from) {
        Words.setRelease(memory, at(line) + BATCH_FROM, from | SET);
    }

    /** Leaves a batch to the cleaner. The caller is still pinned. */
    public void leave(int line) {
        Words.setVolatile(memory, at(line) + BATCH_OWNER, owner() | LEFT);
    }

    /** Passes on the batches that are left. The caller has the role of the cleaner. The end is -1 if it is not known. */
    public void forEachLeft(LeftHandler handler) {
        for (int line = 0; line < BATCHES; line++) {
            boolean isLeft = isLeft(line);
            long from = isLeft ? Words.getVolatile(memory, at(line) + BATCH_FROM) : 0;
            if (from != 0) {
                long to = Words.getVolatile(memory, at(line) + BATCH_TO);
                handler.onLeft(line, from & ~SET, to == 0 ? -1 : to & ~SET);
            } else if (isLeft) {
                end(line);
            }
        }
    }

    private boolean isLeft(int line) {
        long owner = Words.getVolatile(memory, at(line) + BATCH_OWNER);
        return owner != 0 && ((owner & LEFT) != 0 || !processes.isAlive((int) owner));
    }

    /**
     * Returns where the batches are that are left, for a caller without the role of the cleaner. If a line is given up and
     * taken again meanwhile, its extent may be too large. An extent is open-ended if the end is not known.
     */
    public List<Extent> left() {
        List<Extent> extents = new ArrayList<>();
        for (int line = 0; line < BATCHES; line++) {
            long from = isLeft(line) ? Words.getVolatile(memory, at(line) + BATCH_FROM) : 0;
            long to = Words.getVolatile(memory, at(line) + BATCH_TO);
            if (from != 0) {
                extents.add(new Extent(from & ~SET, to == 0 ? Long.MAX_VALUE : to & ~SET));
            }
        }
        return extents;
    }

    /** Returns the position from which the log is to be read, so that no unlinked record of a batch is left out. */
    public long replayFrom(long position) {
        long replay = position;
        for (int line = 0; line < BATCHES; line++) {
            long from = Words.getVolatile(memory, at(line) + BATCH_FROM);
            replay = from == 0 ? replay : Math.min(replay, from & ~SET);
        }
        return replay;
    }
}
