package dev.larder.log.open;

import dev.larder.log.IntegrityMode;
import dev.larder.log.Position;
import dev.larder.log.SalvageSink;
import dev.larder.log.format.RecordWord;
import dev.larder.log.format.RowWord;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.layer.ProblemList;
import dev.larder.log.segment.Seals;
import dev.larder.log.segment.Segment;
import dev.larder.memory.Crc32c;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** The walk of a salvage over one segment, parts of which may be damaged or missing. */
public final class SegmentSalvage {

    /** The position at which the chain stops that the walk has followed. */
    public record Stop(long position, boolean atEnd, boolean isTold) {}

    private static final long UNKNOWN = -1;

    private final Path path;
    private final int number;
    private final MemorySegment memory;
    private final SalvageSink sink;
    private final ProblemList problems;
    private final LeftOut leftOut;
    private final long head;
    private final long salt;
    private final boolean checked;
    private final boolean sealed;
    private final Crc32c crc = new Crc32c();

    /** The end of the last possible record; no word stands at or behind {@link #wordsEnd}. */
    private final long recordsEnd;

    private final long wordsEnd;
    private boolean told;
    private long stop;
    private long records;
    private long bytes;
    private long abandoned;

    /** The block that was checked last, and the range that its seals claim and do not prove. */
    private int seen = -1;

    private long damagedFrom;
    private long damagedTo;

    /**
     * A walk over a file of {@link SegmentLayout#ROWS} bytes at least.
     *
     * @param integrity the mode of the log; the header of this segment may be damaged
     */
    public SegmentSalvage(
            Path path,
            int number,
            MemorySegment memory,
            IntegrityMode integrity,
            SalvageSink sink,
            ProblemList problems) {
        this.path = path;
        this.number = number;
        this.memory = memory;
        this.sink = sink;
        this.problems = problems;
        this.leftOut = new LeftOut(path, number, problems::add);
        long size = memory.byteSize();
        long whole = wholeBytes(memory, size);
        tellSize(size, whole);
        this.head = SegmentLayout.head(whole);
        this.recordsEnd = size < whole ? size & -8L : whole - Segment.END_ROOM_BYTES;
        this.wordsEnd = size < whole ? recordsEnd : recordsEnd + RecordWord.BYTES;
        this.salt = Words.getPlain(memory, SegmentLayout.SALT);
        this.checked = integrity == IntegrityMode.RECORD;
        this.sealed = integrity == IntegrityMode.SEAL;
    }

    /**
     * Returns the size that the file was made with: its header's value where that is possible. The file may be shorter now, or
     * longer where something was added.
     *
     * @param memory at least the header
     */
    public static long wholeBytes(MemorySegment memory, long size) {
        long limit = Words.getPlain(memory, SegmentLayout.LIMIT);
        boolean possible = Long.bitCount(limit) == 1
                && limit >= SegmentLayout.SIZE_MIN_BYTES
                && limit <= SegmentLayout.SIZE_MAX_BYTES;
        boolean said =
                possible && (limit >= size || Words.getPlain(memory, SegmentLayout.HEAD) == SegmentLayout.head(limit));
        return said ? limit : Math.clamp(size & -8L, SegmentLayout.SIZE_MIN_BYTES, SegmentLayout.SIZE_MAX_BYTES);
    }

    private void tellSize(long size, long whole) {
        if (Words.getPlain(memory, SegmentLayout.LIMIT) == whole && size != whole) {
            told = size < whole;
            problems.add(path + ": " + size + " bytes, its header says " + whole
                    + (told ? ": the records after that are lost" : ": the records after that are left out"));
        }
    }

    /** Walks to where the chain stops. */
    public Stop run() {
        long at = head;
        stop = head;
        while (at >= 0 && isWord(at) && !isEnd(at)) {
            at = step(at);
        }
        boolean ended = at >= 0 && isWord(at) && isEnd(at);
        leftOut.tell();
        return new Stop(position(at >= 0 ? Math.min(at, recordsEnd) : stop), ended, told);
    }

    /** Returns how many records come before the segment, by its header; -1 where that is unknown. */
    public long base() {
        long base = Words.getAcquire(memory, SegmentLayout.BASE_SEQUENCE);
        long check = Words.getAcquire(memory, SegmentLayout.BASE_CHECK);
        boolean known = base > 0 && check == RowWord.baseCheck(salt, Position.of(number, 0), base);
        return known ? base - 1 : number == 0 ? 0 : UNKNOWN;
    }

    public long records() {
        return records;
    }

    public long bytes() {
        return bytes;
    }

    public long abandoned() {
        return abandoned;
    }

    public long lost() {
        return leftOut.records();
    }

    public long lostBytes() {
        return leftOut.bytes();
    }

    private long position(long at) {
        return Position.of(number, at);
    }

    private long word(long at) {
        return Words.getAcquire(memory, at);
    }

    private boolean isWord(long at) {
        return at + RecordWord.BYTES <= wordsEnd;
    }

    private boolean isEnd(long at) {
        return RecordWord.isEnd(word(at)) && isSound(at);
    }

    /** Passes one record, or a damaged range; returns where the walk continues, -1 where nothing follows. */
    private long step(long at) {
        long word = word(at);
        if (!RecordWord.isEnd(word) && fits(at, word) && isSound(at)) {
            take(at, word);
            return next(at, word);
        }
        boolean named = word != RecordWord.FREE && !RecordWord.isEnd(word) && fits(at, word);
        return named && continues(next(at, word)) ? leaveOut(at, word) : resume(at);
    }

    /** Passes one record whose word gives at least its length. */
    private long leaveOut(long at, long word) {
        if (RecordWord.state(word) == RecordWord.RESERVED) {
            abandoned++;
        } else {
            leftOut.addRecord(LeftOut.Reason.CHECK, at, next(at, word));
        }
        return next(at, word);
    }

    /** Searches for the next sound word. */
    private long resume(long at) {
        for (long on = at + 8; isWord(on); on += 8) {
            if (isChain(on)) {
                leftOut.addRange(at, on);
                return on;
            }
        }
        long word = word(at);
        boolean open = RecordWord.state(word) == RecordWord.RESERVED
                && fits(at, word)
                && isWord(next(at, word))
                && word(next(at, word)) == RecordWord.FREE;
        stop = open ? next(at, word) : at;
        if (open) {
            abandoned++; // the last claim of the log
        } else if (word != RecordWord.FREE) {
            told = true;
            problems.add(path + ": no record is sound from position " + Position.toString(position(at)) + " on");
        }
        return -1;
    }

    private boolean fits(long at, long word) {
        return next(at, word) <= recordsEnd || RecordWord.isEnd(word);
    }

    private long next(long at, long word) {
        return at + RecordWord.sizeBytes(RecordWord.length(word));
    }

    /** Returns whether the chain continues at an offset: there is a sound word, perhaps behind unsettled claims. */
    private boolean continues(long at) {
        long place = at;
        while (isWord(place) && RecordWord.state(word(place)) == RecordWord.RESERVED && fits(place, word(place))) {
            place = next(place, word(place));
        }
        return isSound(place);
    }

    /**
     * Returns whether a word is part of the chain. It tests the cheap properties first: bytes of a payload may look like a
     * word, but rarely like three in a row.
     */
    private boolean isChain(long at) {
        long place = at;
        for (int words = 0; words < 3 && (words == 0 || isWord(place)); words++) {
            long word = word(place);
            if (words > 0 && (word == RecordWord.FREE || RecordWord.isEnd(word))) {
                break;
            }
            boolean settled = RecordWord.state(word) >= RecordWord.COMMITTED;
            if (!settled || !fits(place, word)) {
                return false;
            }
            if (RecordWord.isEnd(word)) {
                break;
            }
            place = next(place, word);
        }
        return isSound(at);
    }

    private boolean isSound(long at) {
        if (!isWord(at)) {
            return false;
        }
        long word = word(at);
        boolean payload = checked && RecordWord.state(word) == RecordWord.COMMITTED;
        if (payload && !fits(at, word)) {
            return false;
        }
        int check = payload ? crc.over(memory, at + RecordWord.BYTES, RecordWord.length(word)) : 0;
        return RecordWord.isSound(word, salt, position(at), check);
    }

    private void take(long at, long word) {
        if (RecordWord.state(word) == RecordWord.PADDING) {
            abandoned++;
        } else if (sealed && touchesDamage(at, next(at, word))) {
            leftOut.addRecord(LeftOut.Reason.SEAL, at, next(at, word));
        } else {
            bringIn(at, word);
            sink.record(position(at), memory.asReadOnly(), at + RecordWord.BYTES, RecordWord.length(word));
            records++;
            bytes += RecordWord.length(word);
        }
    }

    /** Reads the payload where no check has, so that unreadable bytes fail here, not in the sink. */
    private void bringIn(long at, long word) {
        if (!checked) {
            crc.start();
            crc.add(memory, at + RecordWord.BYTES, RecordWord.length(word));
        }
    }

    private boolean touchesDamage(long from, long to) {
        for (long block = from >>> SegmentLayout.BLOCK_SHIFT;
                block <= (to - 1) >>> SegmentLayout.BLOCK_SHIFT;
                block++) {
            look((int) block);
            if (damagedFrom < damagedTo && from < damagedTo && to > damagedFrom) {
                return true;
            }
        }
        return false;
    }

    /** Finds the range that a block's seals claim and do not prove. No seal can prove a range that was cut off. */
    private void look(int block) {
        if (block == seen) {
            return;
        }
        seen = block;
        long start = Math.max((long) block << SegmentLayout.BLOCK_SHIFT, head);
        long row = SegmentLayout.row((long) block << SegmentLayout.BLOCK_SHIFT);
        damagedFrom = start;
        damagedTo = start;
        for (long half = row; half <= row + 8; half += 8) {
            long seal = word(half);
            long end = ((long) block << SegmentLayout.BLOCK_SHIFT) + Seals.coveredBytes(seal);
            boolean possible = Seals.coveredBytes(seal) <= SegmentLayout.BLOCK_BYTES && end > start;
            if (possible && end <= memory.byteSize() && (int) (seal >>> 32) == crc.over(memory, start, end - start)) {
                damagedFrom = Math.max(damagedFrom, end);
            }
            damagedTo = possible ? Math.max(damagedTo, end) : damagedTo;
        }
    }
}
