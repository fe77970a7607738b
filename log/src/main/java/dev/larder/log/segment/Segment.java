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

    /** Flushes a mapped range of an open file. */
    @FunctionalInterface
    public interface Flush {
        void force(StorageFile file, MemorySegment range);
    }

    /** The bytes kept free at the end, so that END always fits and every offset stays below the limit. */
    public static final long END_ROOM_BYTES = 16;

    private static final long PAGE_BYTES = 4096;

    public final int number;
    public final long head;
    public final long limit;
    public final long salt;
    public final Path path;

    /** The whole file. */
    public final MemorySegment memory;

    /** The address of the whole file if it is kept mapped ({@link KeptArena}), for loads without {@link #memory}; else 0. */
    public final long address;

    /** The whole file, read-only, for readers. */
    public final MemorySegment view;

    /** The index that finds a record by its sequence or its time. */
    public final BlockRows rows;

    private final Arena arena;
    private @Nullable StorageFile file;
    private AccessOrder order = AccessOrder.NORMAL;

    /** Whether the page tables may hold entries of this mapping; guarded by {@link MappedSegments}. */
    boolean touched = true;

    /** How many lanes are in this segment; guarded by {@link MappedSegments}. */
    public int uses;

    /** The time of the last entry, counted in entries; guarded by {@link MappedSegments}. */
    long lastEntry;

    /** The blocks whose bytes are known to be as they were written; see {@code LogReader}. */
    public final BlockSet verified;

    /**
     * The blocks that were not in memory when the segment was mapped; see {@code ColdBlocks}. They are determined before the
     * first byte is touched: the system reads ahead, so one touch loads many blocks that no reader has checked.
     */
    private final BlockSet absent;

    /** The offset up to which there may have been records when the segment was mapped. */
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
     * Maps a segment file and checks its header. Takes over the file, and closes it on every error.
     *
     * @param log the identity of the log
     * @param integrity the mode of the log
     * @param residence returns the blocks of the mapping that are not in memory; called before any block is touched
     * @param ended whether a later segment is in use, so that no record will be added to this one
     * @param arena the arena of the mapping, which is closed with it
     * @throws CorruptException when the header is damaged, or does not belong to segment {@code number} of this log
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

    /** Returns the identity of the log to which a segment belongs, from its header. */
    public static UUID identity(MemorySegment memory) {
        return new UUID(
                Words.getPlain(memory, SegmentLayout.IDENTITY_HIGH),
                Words.getPlain(memory, SegmentLayout.IDENTITY_LOW));
    }

    /** Fails if a segment belongs to another log: its records would pass their checks and be taken for this log's. */
    public static void requireOf(UUID log, MemorySegment memory, Path path) {
        UUID found = identity(memory);
        if (!found.equals(log)) {
            throw new CorruptException(path + ": segment of log " + found + ", expected " + log + " as in "
                    + ControlLayout.FILE_NAME + ": it was put here from another log");
        }
    }

    /**
     * Writes the header of a new segment into a file whose name no other process uses.
     *
     * @param log the identity of the log
     * @param life how many segments the file has been before
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

    /** Loads the header by a call if it is not in memory, so that no thread waits for the disk inside a page fault. */
    public void bringInHeader(Storage storage) {
        if (!storage.isResident(memory, 0, PAGE_BYTES)) {
            storage.bringIn(memory.asSlice(0, PAGE_BYTES), path, 0);
        }
    }

    /** Returns how many segments a file has been before this one. */
    static long life(MemorySegment memory) {
        return Words.getPlain(memory, SegmentLayout.LIFE);
    }

    /** Returns whether the file was another segment before. If so, bytes behind the end may be old after a loss of power. */
    public boolean isRecycled() {
        return life(memory) > 0;
    }

    long createdMillis() {
        return Words.getPlain(memory, SegmentLayout.CREATED);
    }

    /** Notes that there were records up to an offset when the segment was mapped. The hint on the disk may be older. */
    void hadRecordsTo(long offset) {
        writtenWhenMapped = Math.max(writtenWhenMapped, offset);
    }

    /** Returns whether a block had records and was not in memory when the segment was mapped: then no reader has checked it. */
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

    /** Returns the greater of an offset and the hint. The hint has no check, so one at which no word can stand is ignored. */
    public long hintAfter(long offset) {
        long hint = Words.getAcquire(memory, SegmentLayout.HINT);
        long hinted = hint & 0xFFFF_FFFFL;
        return hint >>> 32 == number && isPlace(hinted) ? Math.max(offset, hinted) : offset;
    }

    /** Returns whether a word of the chain may stand at an offset. */
    public boolean isPlace(long offset) {
        return (offset & 7) == 0 && offset >= head && offset <= limit - END_ROOM_BYTES;
    }

    /** Returns the offset of the first word that no writer has claimed, or of END. */
    public long chainEnd() {
        long at = hintAfter(head);
        long word = wordAcquire(at);
        while (word != RecordWord.FREE && !RecordWord.isEnd(word)) {
            at = next(at, word);
            word = wordAcquire(at);
        }
        return at;
    }

    /** Publishes the offset at which the next free word may be found. A wrong value only costs a longer walk. */
    public void hintRelease(long offset) {
        Words.setRelease(memory, SegmentLayout.HINT, position(offset));
    }

    /** Returns whether a record of a size, and the END that must follow, fit at an offset. */
    public boolean fits(long offset, long sizeBytes) {
        return offset + sizeBytes <= limit - END_ROOM_BYTES;
    }

    /** Returns the offset of the next record. Fails if the word cannot belong to a record of this file. */
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

    /** The same for many records: computes checks with an object that the caller keeps. */
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
     * Announces the order in which the mapping is going to be used. It is only advice, so races are harmless.
     *
     * <p>The order is sequential, unless the next bytes are written around the mapping, by calls. Then a fault on a record's
     * word must not make the system load pages ahead of it: they are full of zeros, and the call writes over them. That took
     * a fifth of the time of a bulk load. The order is random where records are read by position. If a page has left memory
     * unnoticed, a fault then loads that page, and not 8 MiB around it. While those are loaded, no other thread of the JVM
     * would come to a safepoint.
     */
    public void expect(AccessOrder expected, Storage storage) {
        if (order != expected) {
            order = expected;
            storage.expect(memory, expected);
        }
    }

    /**
     * Releases the page table entries of the whole pages of a range that is about to be sealed and written back. Otherwise
     * write-back protects the pages folio by folio, and interrupts the writer's processor each time. That doubled the time of
     * appends into prepared pages. Sealing, and readers after it, find the pages again.
     */
    public void releasePageTables(long from, long to, Storage storage) {
        long start = from & -PAGE_BYTES;
        long end = to & -PAGE_BYTES;
        if (start < end) {
            storage.releasePageTables(memory.asSlice(start, end - start));
        }
    }

    /**
     * Makes everything up to an offset durable, including the header and its rows. The mapping belongs to the descriptor that
     * it was made with, whether that is still open or not. So a flush reports every error of write-back since then.
     */
    public void force(long end, Storage storage) {
        force(0, end, storage, StorageFile::force);
    }

    /**
     * Makes durable the bytes added since the segment was durable up to an offset: its records up to {@code end}, and their
     * blocks' rows. The header has been durable since the first record was, except for the hint, which each append changes.
     * The hint only saves walking, and is not trusted after a loss of power. So its page is not written each time.
     *
     * @param flush flushes the range, and nothing else: an error outside of it leaves nothing unknown
     */
    public void forceAfter(long durableOffset, long end, Storage storage, Flush flush) {
        force(durableOffset > head ? SegmentLayout.row(durableOffset) & -PAGE_BYTES : 0, end, storage, flush);
    }

    private synchronized void force(long start, long end, Storage storage, Flush flush) {
        StorageFile known = file;
        MemorySegment range = memory.asSlice(start, end - start);
        if (known != null) {
            flush.force(known, range);
            return;
        }
        try (StorageFile open =
                storage.open(path, true).orElseThrow(() -> new CorruptException(path + ": segment is missing"))) {
            flush.force(open, range);
        }
    }

    /** Returns the file while it is open: in the tail, for writes and write-back. */
    public synchronized @Nullable StorageFile file() {
        return file;
    }

    /** Closes the descriptor; the mapping stays. Called once no call has to write to the file any more. */
    synchronized void closeFile() {
        StorageFile open = file;
        file = null;
        if (open != null) {
            open.close();
        }
    }

    /** Unmaps the segment. No thread may touch the memory afterwards; a thread that does gets an exception, not a crash. */
    void close() {
        closeFile();
        arena.close();
    }

    @Override
    public String toString() {
        return path + " [" + number + ", " + limit + " bytes]";
    }
}
