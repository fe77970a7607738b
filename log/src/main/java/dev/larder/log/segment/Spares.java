package dev.larder.log.segment;

import dev.larder.log.format.SegmentLayout;
import dev.larder.log.layer.Failpoints;
import dev.larder.memory.LarderException;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * Files of dropped segments, kept to become new ones. A writer finds their pages in memory, and the system neither frees
 * blocks nor looks for new ones.
 *
 * <pre>
 * dropped, renamed  ->  spare  ->  zeroed whole, new header, header and rows flushed  ->  linked
 *                        at most two of a process that links segments, under private names    (SegmentMaking)
 *
 * zeros      overwritten, if the log fits into memory, at most an eighth of the file has left it, and the file's pages
 *            suit the syncs of the log ({@link SyncPace})
 *            declared, and written anew in pieces that suit, if the log fits into memory, but the pages do not suit
 *            else declared only: no page is loaded, and a writer finds the same as in a new file
 * </pre>
 *
 * <p>Pages keep their size, however small the pieces that are written over them. Only where a file has no page does it get
 * pages of another size.
 *
 * <p>Where memory is short, zeros that are written ahead leave it before a writer comes. Around their remains the system then
 * loads pages of 4 KiB, with a fault for each. In a limit of 1 GiB, with 0.8 GiB kept, a writer took five times as long as in
 * new files. If zeros can be neither written nor declared, the file is deleted.
 *
 * <p>No other process opens a private name, and no thread that has the file mapped touches it. No pin was at or below its
 * number after {@code first} had passed it. So zeroing races with nothing, and a byte of the former life is never taken for a
 * record. A loss of power may lose the zeros. Then the salt guards the words. The seals in the rows have no salt, so the rows
 * are flushed before the file gets its name.
 */
final class Spares {

    /**
     * A file under a private name.
     *
     * @param pageBytes how large its pages in memory may be, as far as known
     */
    record Spare(Path path, long bytes, long pageBytes, boolean zeroed) {

        private Spare ready(long largestPageBytes) {
            return new Spare(path, bytes, largestPageBytes, true);
        }
    }

    private static final int KEPT_MAX = 2;
    private static final long BLOCK_BYTES = 1L << 20;
    private static final long ABSENT_PART = 8; // one of this many pieces may have left memory
    private static final long LARGER = 2; // pages up to this many times larger than asked for are good enough
    private static final long SMALLER = 8;

    private final Storage storage;
    private final Removals removals;
    private final Zeros zeros;
    private final SegmentMaking.How making;
    private final Failpoints steps;
    private final Deque<Spare> spares = new ArrayDeque<>();
    private volatile long wishedBytes;
    private volatile boolean links;
    private boolean closed;

    Spares(Storage storage, Removals removals, Zeros zeros, SegmentMaking.How making, Failpoints steps) {
        this.storage = storage;
        this.removals = removals;
        this.zeros = zeros;
        this.making = making;
        this.steps = steps;
        this.wishedBytes = making.largestBytes();
    }

    /** Keeps files of another size from now on, and deletes those kept before. */
    synchronized void wish(long bytes) {
        if (bytes != wishedBytes) {
            wishedBytes = bytes;
            release();
        }
    }

    /** Records that this process links segments. The spares of a process that links none would never be used. */
    void linked() {
        links = true;
    }

    /**
     * Keeps a file that no thread can touch any more, or has it deleted if it is of no use.
     *
     * @param pageBytes how large its pages in memory may be
     */
    void offer(Path name, long pageBytes) {
        if (!keep(name, pageBytes)) {
            removals.remove(name);
        }
    }

    /** Keeps a file only if it has the size that is asked for next. */
    private synchronized boolean keep(Path name, long pageBytes) {
        boolean room = links && !closed && making.allocation().isReserved() && spares.size() < KEPT_MAX;
        long bytes = wishedBytes;
        if (!room || !hasSize(name, bytes)) {
            return false;
        }
        spares.addLast(new Spare(name, bytes, pageBytes, false));
        return true;
    }

    /** Returns whether a file has a size. A file that cannot be opened, as too many are open, is not kept. */
    private boolean hasSize(Path name, long bytes) {
        try {
            Optional<StorageFile> file = storage.open(name, true);
            long found = file.map(StorageFile::sizeBytes).orElse(-1L);
            file.ifPresent(StorageFile::close);
            return found == bytes;
        } catch (LarderException e) {
            return false;
        }
    }

    /** Returns whether there is a spare of a size. */
    synchronized boolean has(long bytes) {
        return spares.stream().anyMatch(spare -> spare.bytes == bytes);
    }

    /** Takes a spare of a size, if there is one. */
    synchronized Optional<Spare> take(long bytes) {
        return spares.stream().filter(spare -> spare.bytes == bytes).findFirst().filter(spares::remove);
    }

    /** Keeps a spare that was made ready but lost the race for its number. */
    synchronized void giveBack(Spare spare) {
        if (closed) {
            removals.remove(spare.path);
        } else {
            spares.addFirst(spare);
        }
    }

    /**
     * Makes a spare ready to be linked under a number. Returns empty if it deletes the spare; a new file then takes its
     * place.
     *
     * @param segments how many segments the log has, including this one
     * @param pieceBytes how large its pages should be
     */
    Optional<Spare> renew(Spare spare, int number, long salt, int segments, long pieceBytes) {
        Optional<Spare> renewed = Optional.empty();
        try {
            renewed = format(spare, number, salt, segments, pieceBytes);
        } finally {
            if (renewed.isEmpty()) { // also after an error: no other process knows its name
                removals.remove(spare.path);
            }
        }
        return renewed;
    }

    private Optional<Spare> format(Spare spare, int number, long salt, int segments, long pieceBytes) {
        try (Arena arena = Arena.ofShared();
                StorageFile file = storage.open(spare.path, true).orElseThrow()) {
            MemorySegment memory = file.map(0, spare.bytes, true, arena);
            long life = Segment.life(memory) + (spare.zeroed ? 0 : 1);
            Optional<Spare> ready = spare.zeroed
                    ? Optional.of(spare)
                    : zero(spare, file, memory, zeros.fit(spare.bytes, segments), pieceBytes);
            if (ready.isPresent()) {
                steps.reached("recycle.zeroed");
                Segment.format(
                        memory, number, salt, making.log(), making.integrity(), storage.currentTimeMillis(), life);
                file.force(memory.asSlice(0, SegmentLayout.head(spare.bytes)));
            }
            return ready;
        } catch (StorageException e) {
            return Optional.empty();
        }
    }

    /**
     * Returns the spare with the pages that it has after zeroing; empty if a new file is no worse.
     *
     * @param fits whether the log fits into memory, including the file
     */
    private Optional<Spare> zero(Spare spare, StorageFile file, MemorySegment memory, boolean fits, long pieceBytes) {
        boolean warm = fits && absentPieces(memory) <= memory.byteSize() / BLOCK_BYTES / ABSENT_PART;
        if (warm && suits(spare.pageBytes, pieceBytes)) {
            overwrite(file, memory, pieceBytes);
            return Optional.of(spare.ready(spare.pageBytes));
        }
        if (!file.clear(0, memory.byteSize())) {
            return Optional.empty();
        }
        if (warm && making.presence() == SegmentMaking.Presence.ZEROS) {
            Zeros.write(file, memory.byteSize(), pieceBytes);
            return Optional.of(spare.ready(pieceBytes));
        }
        return Optional.of(spare.ready(KnownPages.SINGLE_BYTES));
    }

    /**
     * Returns whether pages suit the wanted pieces. Pages of unknown size may be the largest. Pages that are too small only
     * matter where a new file would have larger ones.
     */
    private boolean suits(long pageBytes, long pieceBytes) {
        boolean largest = pieceBytes == SyncPace.LARGEST_BYTES;
        boolean small = largest || pageBytes <= LARGER * pieceBytes;
        boolean large = pageBytes >= (largest ? pieceBytes : pieceBytes / SMALLER);
        SegmentMaking.Presence presence = making.presence();
        return presence == SegmentMaking.Presence.LARGE_PAGES // no sync writes there
                || (small && (large || presence == SegmentMaking.Presence.NONE));
    }

    private long absentPieces(MemorySegment memory) {
        return LongStream.range(0, memory.byteSize() / BLOCK_BYTES)
                .filter(piece -> !storage.isResident(memory, piece * BLOCK_BYTES, BLOCK_BYTES))
                .count();
    }

    private static void overwrite(StorageFile file, MemorySegment memory, long pieceBytes) {
        if (file.writesAreCoherent()) {
            Zeros.overwrite(file, memory.byteSize(), pieceBytes);
        } else {
            memory.fill((byte) 0);
        }
    }

    /** Has all spares deleted that are kept now; returns whether there were any. */
    synchronized boolean release() {
        boolean any = !spares.isEmpty();
        spares.forEach(spare -> removals.remove(spare.path));
        spares.clear();
        return any;
    }

    synchronized void close() {
        closed = true;
        release();
    }
}
