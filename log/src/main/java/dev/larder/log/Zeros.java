package dev.larder.log;

import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Zeros that are written ahead of a writer, who finds pages in memory then. By calls: a store through a new mapping would
 * fault at each page. In pieces of 2 MiB: for such a piece a file system with large folios (ext4 on Linux 6.18) takes a page of
 * 2 MiB, which a mapping has with one entry of the tables.
 *
 * <pre>
 * the log fits into memory                 they stay until a writer comes
 * it does not, but the file before this    a writer comes before they leave: else the system would write them to the disk,
 * was made less than a second ago, and     and read them back for a fault of the writer
 * a file is a small part of memory
 * </pre>
 */
final class Zeros {

    private static final long PIECE_BYTES = 2L << 20;
    private static final long FITTING_PART = 8; // of the memory one is left to others
    private static final long SMALL_PART = 32;
    private static final long SOON_NANOS = 1_000_000_000;

    private final Storage storage;
    private volatile long madeNanos;

    Zeros(Storage storage) {
        this.storage = storage;
        this.madeNanos = storage.nanoTime() - SOON_NANOS;
    }

    /** Takes note that a file was made: the next one is expected to take as long as it took since the last. */
    void made() {
        madeNanos = storage.nanoTime();
    }

    /** Returns whether those of a new file are still in memory when a writer comes to them. */
    boolean stay(long fileBytes, long logBytes) {
        long memoryBytes = storage.memoryBytes();
        boolean fits = logBytes <= memoryBytes / FITTING_PART * (FITTING_PART - 1);
        return fits || (fileBytes <= memoryBytes / SMALL_PART && storage.nanoTime() - madeNanos < SOON_NANOS);
    }

    /** Writes so many from the beginning of a file on, whose space it has. */
    static void write(StorageFile file, long bytes) {
        long piece = Math.min(PIECE_BYTES, bytes);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment zeros = arena.allocate(piece, 4096);
            for (long at = 0; at < bytes; at += piece) {
                file.write(zeros.asSlice(0, Math.min(piece, bytes - at)), at);
            }
        }
    }
}
