package dev.larder.log.segment;

import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Writes zeros ahead of a writer, which then finds pages in memory. It writes them by calls: a store through a new mapping
 * would fault at each page. A file system with large folios (ext4 on Linux 6.18) makes a page of each piece, up to 2 MiB. A
 * mapping needs one page table entry for it. But a sync writes a page whole even if one byte was stored there. So the size of
 * the pieces of a new file depends on its log's syncs ({@link SyncPace}). A file that is used again has its pages.
 *
 * <pre>
 * the log fits into memory                   they stay until a writer comes
 * it does not, but grows, file after         a writer comes before they leave: else the system would write them to the disk,
 * file in less than a second, and            and read them back for a fault of the writer
 * a file is a small part of memory
 * </pre>
 *
 * <p>No zeros are written ahead where files take the place of dropped ones. There cleaning keeps the disk busy enough, and
 * writing zeros besides took a third of the puts.
 */
final class Zeros {

    private static final long PAGE_BYTES = 4096;

    /** A piece that stays in the processor's cache while it is copied: over pages that are present this takes half the time. */
    private static final long PIECE_OVER_BYTES = 256L << 10;

    private static final long FITTING_PART = 8; // one such part of memory is left to others
    private static final long SMALL_PART = 32;
    private static final long SOON_NANOS = 1_000_000_000;

    private final Storage storage;
    private volatile long madeNanos;
    private volatile int segmentsMost;

    Zeros(Storage storage) {
        this.storage = storage;
        this.madeNanos = storage.nanoTime() - SOON_NANOS;
    }

    /** Records that the log has one more file, and how many with it: the next one is expected to take as long. */
    void made(int segments) {
        madeNanos = storage.nanoTime();
        segmentsMost = Math.max(segmentsMost, segments);
    }

    /** Returns whether a log of this many files of a size fits into memory: then written zeros stay there. */
    boolean fit(long fileBytes, int segments) {
        return segments * fileBytes <= storage.memoryBytes() / FITTING_PART * (FITTING_PART - 1);
    }

    /**
     * Returns whether zeros of a new file are still in memory when a writer comes.
     *
     * @param segments how many segments the log has, including the new one
     */
    boolean stay(long fileBytes, int segments) {
        return fit(fileBytes, segments) || (isSmall(fileBytes) && segments > segmentsMost && isSoon());
    }

    private boolean isSmall(long fileBytes) {
        return fileBytes <= storage.memoryBytes() / SMALL_PART;
    }

    private boolean isSoon() {
        return storage.nanoTime() - madeNanos < SOON_NANOS;
    }

    /**
     * Writes this many zeros over a file that has pages in memory.
     *
     * @param pieceBytes how large the pages may be, at most, where the file's pages have left memory
     */
    static void overwrite(StorageFile file, long bytes, long pieceBytes) {
        write(file, bytes, Math.min(PIECE_OVER_BYTES, pieceBytes));
    }

    /**
     * Writes this many zeros in pieces, from the beginning of a file that has its space. Except with the largest piece size,
     * the first pieces are smaller, each as large as the bytes before it. So the bytes that each append stores to, and those
     * that each sync needs, have pages of their own.
     */
    static void write(StorageFile file, long bytes, long pieceBytes) {
        long most = Math.min(pieceBytes, bytes);
        long first = pieceBytes == SyncPace.LARGEST_BYTES ? most : PAGE_BYTES;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment zeros = arena.allocate(most, PAGE_BYTES);
            long piece;
            for (long at = 0; at < bytes; at += piece) {
                piece = Math.min(Math.clamp(at, first, most), bytes - at);
                file.write(zeros.asSlice(0, piece), at);
            }
        }
    }
}
