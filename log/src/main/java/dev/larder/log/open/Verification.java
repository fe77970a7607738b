package dev.larder.log.open;

import dev.larder.log.IntegrityMode;
import dev.larder.log.Position;
import dev.larder.log.VerifyReport;
import dev.larder.log.WorkProgress;
import dev.larder.log.context.LogSession;
import dev.larder.log.format.RecordWord;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.layer.ProblemList;
import dev.larder.log.segment.RowCheck;
import dev.larder.log.segment.Seals;
import dev.larder.log.segment.Segment;
import dev.larder.log.shared.Pins.Lane;
import dev.larder.memory.AccessErrors;
import dev.larder.memory.LarderException;
import dev.larder.memory.SystemLimitException;
import java.util.List;

/** Reads a log from its first record to its end and checks every word, and every payload or range that has a sum. */
public final class Verification {

    private final LogSession session;
    private final WorkProgress progress;
    private final IntegrityMode integrity;
    private final ProblemList problems = new ProblemList();
    private final RowCheck rows;
    private long records;
    private long bytes;
    private long abandoned;
    private long openClaims;
    private long checkedBytes;
    private long end;

    public Verification(LogSession session, WorkProgress progress) {
        this.session = session;
        this.progress = progress;
        this.integrity = session.control.integrity();
        this.rows = new RowCheck(problems::add);
    }

    public VerifyReport run() {
        int tail = Math.max(session.control.tailAcquire(), Position.segment(session.durablePosition()));
        int next = session.control.firstVolatile();
        long done = 0;
        List<Integer> numbers = session.segments.files().numbers();
        for (int number : numbers) {
            if (number <= tail && !session.segments.isDropped(number)) {
                checkPresent(next, number);
                verifyUnlessDropped(number);
                next = number + 1;
            }
            done++;
            progress.onProgress(done, numbers.size());
        }
        session.segments.mapped().unmapDropped();
        checkPresent(next, tail + 1);
        session.bookmarks.verify(problems::add);
        return new VerifyReport(records, bytes, abandoned, openClaims, checkedBytes, end, problems.toList());
    }

    /** Reports a missing segment where the segment found is not the next in order. */
    private void checkPresent(int next, int found) {
        if (next < found && !session.segments.isDropped(next)) {
            problems.add(session.segments.files().path(next) + ": segment is missing");
        }
    }

    /**
     * Verifies a segment. Findings in a segment that was dropped meanwhile are discarded: without a pin its file may be used
     * again.
     */
    private void verifyUnlessDropped(int number) {
        long before = problems.count();
        verify(number);
        if (session.segments.isDropped(number)) {
            problems.cutTo(before);
            rows.forget();
        }
    }

    private void verify(int number) {
        try {
            Lane lane = new Lane();
            session.segments.enter(lane, number).ifPresent(segment -> {
                try {
                    walk(segment);
                    checkSeals(segment);
                    AccessErrors.deliver();
                } finally {
                    session.segments.leave(lane, segment);
                }
            });
        } catch (SystemLimitException e) {
            throw e; // not a property of the file
        } catch (LarderException e) {
            problems.add(String.valueOf(e.getMessage()));
        } catch (InternalError e) {
            problems.add(session.segments.files().path(number) + ": bytes of the mapped file cannot be read ("
                    + e.getMessage() + ")");
        }
    }

    private void walk(Segment segment) {
        rows.enter(segment, records);
        long at = segment.head;
        long word = segment.wordAcquire(at);
        while (word != RecordWord.FREE && !RecordWord.isEnd(word) && segment.position(at) < session.readLimit()) {
            at = pass(segment, at, word);
            rows.passed(segment, at, records);
            word = segment.wordAcquire(at);
        }
        if (RecordWord.isEnd(word) && segment.position(at) < session.readLimit()) {
            checkWord(segment, at, word);
        }
        end = segment.position(at);
        rows.leave(segment, at, word, records);
        if (!RecordWord.isEnd(word)) {
            checkStop(segment, at);
        }
    }

    /** Passes a record, or a claim: the records behind a claim exist, though readers do not pass it yet. */
    private long pass(Segment segment, long at, long word) {
        if (RecordWord.state(word) != RecordWord.RESERVED) {
            checkWord(segment, at, word);
            count(word);
        } else if (isLost(segment, at)) {
            problems.add(segment.path + ": the record at position " + Position.toString(segment.position(at))
                    + " was synced, but is not committed");
        } else {
            openClaims++;
            rows.passedClaim();
        }
        return segment.next(at, word);
    }

    private void checkWord(Segment segment, long at, long word) {
        if (!segment.isSound(at, word, integrity)) {
            problems.add(segment.path + ": the record at position " + Position.toString(segment.position(at))
                    + " fails its check");
        }
    }

    /**
     * Returns whether a word that is FREE or RESERVED was synced in another state. Reads it anew after the durable position.
     */
    private boolean isLost(Segment segment, long at) {
        boolean synced = segment.position(at) < session.durablePosition();
        return synced && RecordWord.state(segment.wordAcquire(at)) <= RecordWord.RESERVED;
    }

    /** Checks a chain that stops before an END: there the log must end, and nothing may be synced behind it. */
    private void checkStop(Segment segment, long at) {
        String where = segment.path + ": the chain stops at position " + Position.toString(segment.position(at));
        if (segment.number < session.control.tailAcquire() && segment.position(at) < session.readLimit()) {
            if (segment.wordAcquire(at) == RecordWord.FREE) { // read again: the log may have grown meanwhile
                problems.add(where + ", before the segment's end");
            }
        } else if (isLost(segment, at)) {
            problems.add(where + ", and the log was synced up to " + Position.toString(session.durablePosition()));
        }
    }

    private void count(long word) {
        if (RecordWord.state(word) == RecordWord.COMMITTED) {
            records++;
            bytes += RecordWord.length(word);
            checkedBytes += integrity == IntegrityMode.RECORD ? RecordWord.length(word) : 0;
        } else if (RecordWord.state(word) == RecordWord.PADDING) {
            abandoned++;
        }
    }

    private void checkSeals(Segment segment) {
        if (integrity != IntegrityMode.SEAL) {
            return;
        }
        long durable = session.durablePosition();
        long durableEnd = Position.segment(durable) > segment.number ? segment.limit : Position.offset(durable);
        boolean mayHold = Position.segment(durable) >= segment.number;
        int blocks = SegmentLayout.blocks(segment.limit);
        for (int block = 0; mayHold && block < blocks; block++) {
            checkSeal(segment, block, durableEnd);
        }
    }

    private void checkSeal(Segment segment, int block, long durableEnd) {
        long start = (long) block << SegmentLayout.BLOCK_SHIFT;
        long promised = Math.min(Seals.claimedEnd(segment, block), durableEnd);
        long sound = Seals.soundEnd(segment, block);
        if (promised > Math.max(start, segment.head) && sound < promised) {
            problems.add(segment.path + ": block " + block + " fails its seal: promised up to offset " + promised
                    + ", sound up to " + sound);
        }
        checkedBytes += Math.max(0, sound - Math.max(start, segment.head));
    }
}
