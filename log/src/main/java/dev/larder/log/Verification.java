package dev.larder.log;

import dev.larder.log.Pins.Lane;
import dev.larder.memory.AccessErrors;
import dev.larder.memory.LarderException;
import java.util.ArrayList;
import java.util.List;

/** Reads a log from its first record to its end and checks every word, and every payload or range that has a sum. */
final class Verification {

    private static final int PROBLEMS_MAX = 1000;

    private final LogSession session;
    private final IntegrityMode integrity;
    private final List<String> problems = new ArrayList<>();
    private final RowCheck rows;
    private long records;
    private long bytes;
    private long abandoned;
    private long checkedBytes;
    private long end;

    Verification(LogSession session) {
        this.session = session;
        this.integrity = session.control.integrity();
        this.rows = new RowCheck(this::problem);
    }

    VerifyReport run() {
        int tail = session.control.tailAcquire();
        int next = session.control.firstVolatile();
        for (int number : session.segments.files().numbers()) {
            if (number <= tail && !session.segments.isDropped(number)) {
                checkPresent(next, number);
                verifyUnlessDropped(number);
                next = number + 1;
            }
        }
        session.segments.mapped().unmapDropped();
        checkPresent(next, tail + 1);
        session.bookmarks.verify(this::problem);
        return new VerifyReport(records, bytes, abandoned, checkedBytes, end, List.copyOf(problems));
    }

    /** Notes that a segment is missing where the one that was found is not the one that comes next. */
    private void checkPresent(int next, int found) {
        if (next < found && !session.segments.isDropped(next)) {
            problem(session.segments.files().path(next) + ": segment is missing");
        }
    }

    private void problem(String text) {
        if (problems.size() < PROBLEMS_MAX) {
            problems.add(text);
        }
    }

    /** What was found in a segment that was dropped meanwhile says nothing: without a pin its file may be used again. */
    private void verifyUnlessDropped(int number) {
        int before = problems.size();
        verify(number);
        if (session.segments.isDropped(number)) {
            problems.subList(before, problems.size()).clear();
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
        } catch (LarderException e) {
            problem(String.valueOf(e.getMessage()));
        } catch (InternalError e) {
            problem(session.segments.files().path(number) + ": bytes of the mapped file cannot be read ("
                    + e.getMessage() + ")");
        }
    }

    private void walk(Segment segment) {
        rows.enter(segment, records);
        long at = segment.head;
        long word = segment.wordAcquire(at);
        while (RecordWord.state(word) > RecordWord.RESERVED && segment.position(at) < session.readLimit()) {
            if (!segment.isSound(at, word, integrity)) {
                problem(segment.path + ": the record at position " + Position.toString(segment.position(at))
                        + " fails its check");
            }
            if (RecordWord.isEnd(word)) {
                break;
            }
            count(word);
            at = segment.next(at, word);
            rows.passed(segment, at, records);
            word = segment.wordAcquire(at);
        }
        end = segment.position(at);
        rows.leave(segment, at, word, records);
        if (!RecordWord.isEnd(word) && segment.number < session.control.tailAcquire()) {
            problem(segment.path + ": the chain stops at offset " + at + ", before the segment's end");
        }
    }

    private void count(long word) {
        if (RecordWord.state(word) == RecordWord.COMMITTED) {
            records++;
            bytes += RecordWord.length(word);
            checkedBytes += integrity == IntegrityMode.RECORD ? RecordWord.length(word) : 0;
        } else {
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
        int blocks = (int) (segment.limit >>> SegmentLayout.BLOCK_SHIFT);
        for (int block = 0; mayHold && block < blocks; block++) {
            checkSeal(segment, block, durableEnd);
        }
    }

    private void checkSeal(Segment segment, int block, long durableEnd) {
        long start = (long) block << SegmentLayout.BLOCK_SHIFT;
        long promised = Math.min(Seals.claimedEnd(segment, block), durableEnd);
        long sound = Seals.soundEnd(segment, block);
        if (promised > Math.max(start, segment.head) && sound < promised) {
            problem(segment.path + ": block " + block + " fails its seal: promised up to offset " + promised
                    + ", sound up to " + sound);
        }
        checkedBytes += Math.max(0, sound - Math.max(start, segment.head));
    }
}
