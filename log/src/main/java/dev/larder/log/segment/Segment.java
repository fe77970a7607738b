package dev.larder.log.segment;

import dev.larder.log.IntegrityMode;
import dev.larder.log.Position;
import dev.larder.log.format.ControlLayout;
import dev.larder.log.format.RecordWord;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.shared.IntegrityCode;
import dev.larder.memory.AccessOrder;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Crc32c;
import dev.larder.memory.Features;
import dev.larder.memory.FileHeader;
import dev.larder.memory.KeptArena;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import dev.larder.memory.TruncatedException;
import dev.larder.memory.Words;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A segment file, mapped whole. One mapping serves all appenders and readers of a process. */
public final class Segment {

    /** Kept free at the end, so that END always fits and every offset stays below the limit. */
    public static final long END_ROOM_BYTES = 16;

    private static final long PAGE_BYTES = 4096;

    public final int number;
    public final long head;
    public final long limit;
    public final long salt;
    public final Path path;

    /** The whole file. */
    public final MemorySegment memory;

    /** The address of the whole file, for loads without {@link #memory}, where it is kept mapped ({@link KeptArena}); else 0. */
    public final long address;

    /** The whole file, to be handed to readers. */
    public final MemorySegment view;

    /** What leads to a record by its sequence and its time. */
    public final BlockRows rows;

    private final Arena arena;
    private @Nullable StorageFile file;
    private AccessOrder order = AccessOrder.NORMAL;

    /** Whether the page tables may hold entries of this mapping; guarded by {@link MappedSegments}. */
    boolean touched = true;

    /** How many lanes stand here; guarded by {@link MappedSegments}. */
    public int uses;

    /** When somebody entered last, counted in entries; guarded by {@link MappedSegments}. */
    long lastEntry;

    /** Where the bytes are known to be as they were written, block by block; see {@code LogReader}. */
    public final BlockSet verified;

    /**
     * The blocks that were not in memory when the segment was mapped; see {@code ColdBlocks}. Asked before the first
     * byte is touched: the system reads ahead, so that one touch brings in many blocks that nobody has checked.
     */
    private final BlockSet absent;

    /** Up to where there may have been records when the segment was mapped. */
    private long writtenWhenMapped;

    private Segment(
            Path path,
            StorageFile file,
            Arena arena,
            MemorySegment memory,
            int number,
            boolean writable,
            BlockSet absent,
            boolean ended) {
        this.path = path;
        this.file = file;
        this.arena = arena;
        this.memory = memory;
        this.address = KeptArena.address(arena, memory);
        this.number = number;
        this.view = memory.asReadOnly();
        this.head = Words.getPlain(memory, SegmentLayout.HEAD);
        this.limit = Words.getPlain(memory, SegmentLayout.LIMIT);
        this.salt = Words.getPlain(memory, SegmentLayout.SALT);
        this.verified = new BlockSet(limit);
        this.absent = absent;
        this.writtenWhenMapped = ended ? limit : hintAfter(head);
        this.rows = new BlockRows(this, writable);
    }

    /**
     * Maps a segment file and checks its header; takes over the file, which is closed on every error.
     *
     * @param log the identity of the log
     * @param integrity the mode of the log
     * @param residence tells which blocks of the mapping are not in memory, asked before any is touched
     * @param ended whether a later segment is in use, so that no record will be added to this one
     * @param arena what it is mapped in, and that is closed with it
     * @throws CorruptException when the header is damaged, or is not that of segment {@code number} of such a log
     * @throws TruncatedException when the file is shorter than its header says
     */
    public static Segment map(
            StorageFile file,
            int number,
            UUID log,
            IntegrityMode integrity,
            boolean writable,
            Function<MemorySegment, BlockSet> residence,
            boolean ended,
            Arena arena) {
        try {
            long size = file.sizeBytes();
            if (size < SegmentLayout.SIZE_MIN_BYTES) {
                throw new TruncatedException(
                        file.path() + ": segment of " + size + " bytes, least is " + SegmentLayout.SIZE_MIN_BYTES);
            }
            MemorySegment memory = file.map(0, size, writable, arena);
            BlockSet absent = residence.apply(memory);
            FileHeader.read(memory, file.path(), SegmentLayout.FORMAT, SegmentLayout.VERSION, Features.NONE, writable);
            Segment segment = new Segment(file.path(), file, arena, memory, number, writable, absent, ended);
            segment.checkHeader(size, log, integrity);
            return segment;
        } catch (RuntimeException | Error e) {
            arena.close();
            file.close();
            throw e;
        }
    }

    private void checkHeader(long sizeBytes, UUID log, IntegrityMode integrity) {
        long found = Words.getPlain(memory, SegmentLayout.NUMBER);
        if (found != number) {
            throw new CorruptException(path + ": header names segment " + found + ", expected " + number);
        }
        if (limit > sizeBytes) {
            throw new TruncatedException(path + ": " + sizeBytes + " bytes, its header says " + limit);
        }
        if (Long.bitCount(limit) != 1 || limit != sizeBytes || head != SegmentLayout.head(limit)) {
            throw new CorruptException(path + ": header says limit " + limit + " and head " + head + " in a file of "
                    + sizeBytes + " bytes");
        }
        int mode = memory.get(Words.INT, SegmentLayout.INTEGRITY);
        if (mode != IntegrityCode.of(integrity)) {
            throw new CorruptException(path + ": header says integrity " + IntegrityCode.describe(mode) + ", expected "
                    + IntegrityCode.describe(IntegrityCode.of(integrity)) + " as in " + ControlLayout.FILE_NAME);
        }
        requireOf(log, memory, path);
    }

    /** Returns which log a segment belongs to, as its header says. */
    public static UUID identity(MemorySegment memory) {
        return new UUID(
                Words.getPlain(memory, SegmentLayout.IDENTITY_HIGH),
                Words.getPlain(memory, SegmentLayout.IDENTITY_LOW));
    }

    /** Fails where a segment is another log's: its records would pass their checks, and be taken for this one's. */
    public static void requireOf(UUID log, MemorySegment memory, Path path) {
        UUID found = identity(memory);
        if (!found.equals(log)) {
            throw new CorruptException(path + ": segment of log " + found + ", expected " + log + " as in "
                    + ControlLayout.FILE_NAME + ": it was put here from another log");
        }
    }

    /**
     * Writes the header of a new segment into a file that nobody else has a name for.
     *
     * @param log the identity of the log
     * @param life how many segments the file was before
     */
    public static void format(
            MemorySegment memory,
            int number,
            long salt,
            UUID log,
            IntegrityMode integrity,
            long createdMillis,
            long life) {
        Words.setPlain(memory, SegmentLayout.NUMBER, number);
        Words.setPlain(memory, SegmentLayout.SALT, salt);
        Words.setPlain(memory, SegmentLayout.LIMIT, memory.byteSize());
        Words.setPlain(memory, SegmentLayout.HEAD, SegmentLayout.head(memory.byteSize()));
        memory.set(Words.INT, SegmentLayout.INTEGRITY, IntegrityCode.of(integrity));
        Words.setPlain(memory, SegmentLayout.CREATED, createdMillis);
        Words.setPlain(memory, SegmentLayout.LIFE, life);
        Words.setPlain(memory, SegmentLayout.IDENTITY_HIGH, log.getMostSignificantBits());
        Words.setPlain(memory, SegmentLayout.IDENTITY_LOW, log.getLeastSignificantBits());
        FileHeader.write(
                memory, SegmentLayout.FORMAT, SegmentLayout.VERSION, SegmentLayout.HEADER_BYTES, Features.NONE);
    }

    /** Brings the header in by a call, where it is not in memory: so that nobody waits for the disk inside a page fault. */
    public void bringInHeader(Storage storage) {
        if (!storage.isResident(memory, 0, PAGE_BYTES)) {
            storage.bringIn(memory.asSlice(0, PAGE_BYTES), path, 0);
        }
    }

    /** Returns how many segments a file was before this one. */
    static long life(MemorySegment memory) {
        return Words.getPlain(memory, SegmentLayout.LIFE);
    }

    /** Returns whether the file was another segment before: what lies behind the end may be old after a loss of power. */
    public boolean isRecycled() {
        return life(memory) > 0;
    }

    long createdMillis() {
        return Words.getPlain(memory, SegmentLayout.CREATED);
    }

    /** There were records up to an offset when the segment was mapped, whatever the hint said: it may be older on the disk. */
    void hadRecordsTo(long offset) {
        writtenWhenMapped = Math.max(writtenWhenMapped, offset);
    }

    /** Returns whether a block had records when the segment was mapped and was not in memory: nobody has checked it. */
    public boolean wasAbsent(int block) {
        long start = Math.max((long) block << SegmentLayout.BLOCK_SHIFT, head);
        return absent.contains(block) && start < writtenWhenMapped;
    }

    public long position(long offset) {
        return Position.of(number, offset);
    }

    public long wordAcquire(long offset) {
        return Words.getAcquire(memory, offset);
    }

    /** Returns the greater of an offset and the hint, which has no check. One where no word can be is ignored. */
    public long hintAfter(long offset) {
        long hint = Words.getAcquire(memory, SegmentLayout.HINT);
        long hinted = hint & 0xFFFF_FFFFL;
        return hint >>> 32 == number && isPlace(hinted) ? Math.max(offset, hinted) : offset;
    }

    /** Returns whether a word of the chain may stand at an offset. */
    public boolean isPlace(long offset) {
        return (offset & 7) == 0 && offset >= head && offset <= limit - END_ROOM_BYTES;
    }

    /** Returns the offset of the first word that nobody has claimed, or of END. */
    public long chainEnd() {
        long at = hintAfter(head);
        long word = wordAcquire(at);
        while (word != RecordWord.FREE && !RecordWord.isEnd(word)) {
            at = next(at, word);
            word = wordAcquire(at);
        }
        return at;
    }

    /** Publishes where the next claim may be found free; a wrong value costs walking and nothing else. */
    public void hintRelease(long offset) {
        Words.setRelease(memory, SegmentLayout.HINT, position(offset));
    }

    /** Returns whether a record of a size, and the END that must follow, fit at an offset. */
    public boolean fits(long offset, long sizeBytes) {
        return offset + sizeBytes <= limit - END_ROOM_BYTES;
    }

    /** Returns the offset of the record after one; fails when the word cannot be of a record of this file. */
    public long next(long offset, long word) {
        long size = RecordWord.sizeBytes(RecordWord.length(word));
        if (!fits(offset, size)) {
            throw new CorruptException(path + ": record at " + Position.toString(position(offset)) + " of "
                    + RecordWord.length(word) + " bytes passes the limit " + (limit - END_ROOM_BYTES));
        }
        return offset + size;
    }

    /** Returns the CRC32C of the payload of the record at an offset, whose word was read; for cold paths. */
    public int crcOf(long offset, long word) {
        return Crc32c.of(memory, offset + RecordWord.BYTES, RecordWord.length(word));
    }

    /** Returns whether a COMMITTED or PADDING word, and in mode RECORD its payload, pass their check. */
    public boolean isSound(long offset, long word, IntegrityMode integrity) {
        return isSound(offset, word, integrity, null);
    }

    /** The same, where many are looked at; computes checks with something that the caller keeps. */
    public boolean isSound(long offset, long word, IntegrityMode integrity, @Nullable Crc32c kept) {
        long size = RecordWord.sizeBytes(RecordWord.length(word));
        if (!RecordWord.isEnd(word) && !fits(offset, size)) {
            return false;
        }
        boolean summed = integrity == IntegrityMode.RECORD && RecordWord.state(word) == RecordWord.COMMITTED;
        if (!summed) {
            return RecordWord.isSound(word, salt, position(offset), 0);
        }
        int crc = kept == null
                ? crcOf(offset, word)
                : kept.over(memory, offset + RecordWord.BYTES, RecordWord.length(word));
        return RecordWord.isSound(word, salt, position(offset), crc);
    }

    /**
     * Tells in which order the mapping is going to be used. Sequential, unless what follows is written around it, by
     * calls: then a fault on a record's word must not make the system bring in pages ahead of it, full of zeros, for
     * the call to write over; that took a fifth of the time of a bulk load. And at random where records are looked at by
     * position: should a page have left the memory unnoticed, a fault brings in that page, and not 8 MiB around it, for
     * which no other thread of the JVM would come to a safepoint. Racy: it is advice.
     */
    public void expect(AccessOrder expected, Storage storage) {
        if (order != expected) {
            order = expected;
            storage.expect(memory, expected);
        }
    }

    /**
     * Lets go of the page table entries of the whole pages of a range that is about to be sealed and written back. Else
     * write-back protects them folio by folio, and interrupts the processor of the writer each time: that doubled the
     * time of appends into prepared pages. Sealing finds the pages again, and readers after it.
     */
    public void releasePageTables(long from, long to, Storage storage) {
        long start = from & -PAGE_BYTES;
        long end = to & -PAGE_BYTES;
        if (start < end) {
            storage.releasePageTables(memory.asSlice(start, end - start));
        }
    }

    /**
     * Makes everything up to an offset durable, the header and its rows included. The mapping stands on the descriptor that
     * it was made with, whether that is open or not: a flush tells of every error of write-back since then.
     */
    public void force(long end, Storage storage) {
        force(0, end, storage);
    }

    /**
     * Makes durable what has come since the segment was durable up to an offset: its records up to another one, and the rows of
     * their blocks. The header has been durable since the first record was, but for the hint, which each append changes: it
     * saves walking, and nobody believes it after a loss of power. So the page that it stands in is not written each time.
     */
    public void forceAfter(long durableOffset, long end, Storage storage) {
        force(durableOffset > head ? SegmentLayout.row(durableOffset) & -PAGE_BYTES : 0, end, storage);
    }

    private synchronized void force(long start, long end, Storage storage) {
        StorageFile known = file;
        MemorySegment range = memory.asSlice(start, end - start);
        if (known != null) {
            known.force(range);
            return;
        }
        try (StorageFile open =
                storage.open(path, true).orElseThrow(() -> new CorruptException(path + ": segment is missing"))) {
            open.force(range);
        }
    }

    /** Returns the file while it is open: in the tail, for writes and write-back. */
    public synchronized @Nullable StorageFile file() {
        return file;
    }

    /** Closes the descriptor; the mapping stays. Where nothing is to be written by calls any more. */
    synchronized void closeFile() {
        StorageFile open = file;
        file = null;
        if (open != null) {
            open.close();
        }
    }

    /** Unmaps. Nobody may touch the memory afterwards; who does gets an exception, not a crash. */
    void close() {
        closeFile();
        arena.close();
    }

    @Override
    public String toString() {
        return path + " [" + number + ", " + limit + " bytes]";
    }
}
