package dev.larder.map.shared;

import static dev.larder.map.format.IndexFileLayout.BATCHES;
import static dev.larder.map.format.IndexFileLayout.BATCH_FROM;
import static dev.larder.map.format.IndexFileLayout.BATCH_OWNER;
import static dev.larder.map.format.IndexFileLayout.BATCH_TO;

import dev.larder.log.Position;
import dev.larder.map.format.IndexFileLayout;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;

/**
 * Where batches of loaders stand in the log, of all processes, from before they are appended until their last record is linked.
 *
 * <pre>
 *  line     owner, LEFT | from | to
 *
 *  begin    owner: 0 to that of the process    from: below the batch, which is not claimed yet
 *  append   from, to: where it stands
 *  end      0                                  all of it is linked, or was put again
 *  leave    LEFT                               its loader has met an error; a dead owner says the same
 * </pre>
 *
 * <p>The records of a batch are committed before they are linked. One that is left has records in the log that the index does
 * not know of: a replay would link them. So whoever cleans links them first ({@code LeftBatches}), and a checkpoint is replayed
 * from the first of them on. All of a line but the first word is its owner's until it is left, and then the cleaner's.
 */
public final class Batches {

    public static final int NONE = -1;

    private static final long LEFT = 1L << 32;

    /** Tells the position 0 from none: positions are multiples of 8. */
    private static final long SET = 1;

    private final MemorySegment memory;
    private final Processes processes;

    public Batches(IndexFile file, Processes processes) {
        this.memory = file.memory();
        this.processes = processes;
    }

    /** Takes a batch that is left: its line, and where it stands. */
    @FunctionalInterface
    public interface LeftHandler {
        void onLeft(int line, long from, long to);
    }

    private static long at(int line) {
        return IndexFileLayout.batch(line);
    }

    private long owner() {
        return Integer.toUnsignedLong(processes.owner());
    }

    /**
     * Takes note of a batch that will be claimed in a segment or behind it, by who is pinned; returns its line, {@link #NONE}
     * where all are taken.
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

    /** Takes note of where it stands, before any of it is linked. */
    public void appended(int line, long from, long to) {
        Words.setRelease(memory, at(line) + BATCH_FROM, from | SET);
        Words.setRelease(memory, at(line) + BATCH_TO, to | SET);
    }

    /** Takes note that it is linked. */
    public void end(int line) {
        Words.setRelease(memory, at(line) + BATCH_FROM, 0);
        Words.setRelease(memory, at(line) + BATCH_OWNER, 0);
    }

    /** Takes note that what lies before a position of one that is left counts no more. */
    public void moveTo(int line, long from) {
        Words.setRelease(memory, at(line) + BATCH_FROM, from | SET);
    }

    /** Leaves it to the cleaner, by who is still pinned. */
    public void leave(int line) {
        Words.setVolatile(memory, at(line) + BATCH_OWNER, owner() | LEFT);
    }

    /** Hands over those that are left, for who has the role of the cleaner. The end is -1 where it is not known. */
    public void forEachLeft(LeftHandler handler) {
        for (int line = 0; line < BATCHES; line++) {
            long owner = Words.getVolatile(memory, at(line) + BATCH_OWNER);
            boolean isLeft = owner != 0 && ((owner & LEFT) != 0 || !processes.isAlive((int) owner));
            long from = isLeft ? Words.getVolatile(memory, at(line) + BATCH_FROM) : 0;
            if (from != 0) {
                long to = Words.getVolatile(memory, at(line) + BATCH_TO);
                handler.onLeft(line, from & ~SET, to == 0 ? -1 : to & ~SET);
            } else if (isLeft) {
                end(line);
            }
        }
    }

    /** Returns the position from which the log is to be read, so that nothing of a batch is left out that is not linked. */
    public long replayFrom(long position) {
        long replay = position;
        for (int line = 0; line < BATCHES; line++) {
            long from = Words.getVolatile(memory, at(line) + BATCH_FROM);
            replay = from == 0 ? replay : Math.min(replay, from & ~SET);
        }
        return replay;
    }
}
