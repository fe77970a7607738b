package dev.larder.log.segment;

import dev.larder.log.format.RecordWord;
import dev.larder.log.format.RowWord;
import dev.larder.log.format.SegmentLayout;
import java.util.function.Consumer;

/** Compares what headers and rows say of records and times with what a walk over the whole log has counted. */
public final class RowCheck {

    private static final long UNKNOWN = -1;

    private final Consumer<String> problem;
    private long counted;
    private long base = UNKNOWN;
    private long nextBase = UNKNOWN;
    private int next;
    private int block;
    private long lastMillis;

    /** Whether every claim so far in this segment is settled: a record behind an unsettled claim has no number yet. */
    private boolean isCounted;

    public RowCheck(Consumer<String> problem) {
        this.problem = problem;
    }

    /** Is called when the walk enters a segment, with the number of records that were counted before it. */
    public void enter(Segment segment, long recordsBefore) {
        if (segment.number != next) {
            nextBase = UNKNOWN; // the segments between were dropped
        }
        next = segment.number + 1;
        boolean complete = segment.rows.hasBaseSequence(); // before the read: a process may be storing it
        long stored = segment.rows.baseSequence();
        if (stored < 0 && complete) {
            problem.accept(segment.path + ": the base sequence in its header fails its check");
        } else if (stored >= 0 && nextBase >= 0 && stored != nextBase) {
            problem.accept(segment.path + ": its header says that " + stored
                    + " records come before it; the segments before it have " + nextBase);
        }
        counted = recordsBefore;
        base = stored >= 0 ? stored : nextBase;
        block = 0;
        isCounted = true;
    }

    /** Is called when the walk has passed a claim that is not settled. */
    public void passedClaim() {
        isCounted = false;
    }

    /** Is called when the segment was dropped meanwhile: then the counts say nothing. */
    public void forget() {
        nextBase = UNKNOWN;
    }

    /** Is called when the walk has come to a word, with the number of records that were counted before it. */
    public void passed(Segment segment, long at, long records) {
        int entered = (int) (at >>> SegmentLayout.BLOCK_SHIFT);
        if (entered > block) {
            block = entered;
            long stored = segment.rows.storedIndex(entered);
            if (isCounted && stored != RowWord.UNKNOWN && stored != segment.rows.indexAt(at, records - counted)) {
                problem.accept(segment.path + ": block " + entered + ": its row fails its check, or does not name its"
                        + " first record, " + (records - counted) + " at offset " + at);
            }
        }
    }

    /** Is called when the walk leaves a segment at a word. */
    public void leave(Segment segment, long at, long word, long records) {
        nextBase = base < 0 || !isCounted ? UNKNOWN : base + records - counted;
        int last = (int) (at >>> SegmentLayout.BLOCK_SHIFT);
        for (int row = 0; row <= last; row++) {
            checkTime(segment, row);
        }
        for (int row = last + 1; RecordWord.isEnd(word) && row < segment.rows.count(); row++) {
            checkEmpty(segment, row);
        }
    }

    private void checkTime(Segment segment, int row) {
        long millis = segment.rows.timeMillis(row);
        if (millis == 0 && segment.rows.storedTime(row) != RowWord.UNKNOWN) {
            problem.accept(segment.path + ": block " + row + ": its time fails its check");
        } else if (millis != 0 && millis < lastMillis) {
            problem.accept(segment.path + ": block " + row + ": its time " + millis + " is before " + lastMillis
                    + ", the time of an earlier block");
        }
        lastMillis = Math.max(lastMillis, millis);
    }

    private void checkEmpty(Segment segment, int row) {
        if (segment.rows.storedIndex(row) != RowWord.UNKNOWN || segment.rows.storedTime(row) != RowWord.UNKNOWN) {
            problem.accept(segment.path + ": block " + row + " has a row, but lies after the segment's end");
        }
    }
}
