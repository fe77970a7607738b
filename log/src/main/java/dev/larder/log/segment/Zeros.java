package dev.larder.log.segment;

import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Zeros that are written ahead of a writer, who finds pages in memory then. By calls: a store through a new mapping would
 * fault at each page. A file system with large folios (ext4 on Linux 6.18) makes a page of each piece, up to 2 MiB, and a
 * mapping needs one entry of the tables for it. But a sync writes a page whole of which one byte was stored: so how large the
 * pieces of a new file are is a matter of its log's syncs ({@link SyncPace}). A file that is used again has its pages.
 *
 * <pre>
 * the log fits into memory                   they stay until a writer comes
 * it does not, but grows, file after         a writer comes before they leave: else the system would write them to the disk,
 * file in less than a second, and            and read them back for a fault of the writer
 * a file is a small part of memory
 * </pre>
 *
 * <p>Not where files take the place of those that were dropped: there the disk has enough to do with what is cleaned, and
 * what zeros it gets to write besides took a third of the puts.
 */
final class Zeros {

    private static final long PAGE_BYTES = 4096;

    /** What a processor has at hand while it is copied: over pages that are there already this takes half the time. */
    private static final long PIECE_OVER_BYTES = 256L << 10;

    private static final long FITTING_PART = 8; // of the memory one is left to others
    private static final long SMALL_PART = 32;
    private static final long SOON_NANOS = 1_000_000_000;

    private final Storage storage;
    private volatile long madeNanos;
    private volatile int segmentsMost;

    Zeros(Storage storage) {
        this.storage = storage;
        this.madeNanos = storage.nanoTime() - SOON_NANOS;
    }

    /** Takes note that the log has a further file, so many with it: the next one is expected to take as long. */
    void made(int segments) {
        madeNanos = storage.nanoTime();
        segmentsMost = Math.max(segmentsMost, segments);
    }

    /** Returns whether a log of so many files of a size fits into memory: then what is written stays there. */
    boolean fit(long fileBytes, int segments) {
        return segments * fileBytes <= storage.memoryBytes() / FITTING_PART * (FITTING_PART - 1);
    }

    /** Returns whether zeros of a new file are still in memory when a writer comes, of a log that has so many with it. */
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
     * Writes so many over what a file has in memory.
     *
     * @param pieceBytes how large the pages may be, at most, of what has left memory
     */
    static void overwrite(StorageFile file, long bytes, long pieceBytes) {
        write(file, bytes, Math.min(PIECE_OVER_BYTES, pieceBytes));
    }

    /**
     * Writes so many in pieces, from the beginning of a file on, whose space it has. But for the largest pieces the first ones
     * are smaller, each as large as what lies before it: what is stored to at each append, and what each sync needs, are pages
     * of their own.
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
