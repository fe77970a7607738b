package dev.larder.log;

import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Zeros that are written ahead of a writer, who finds pages in memory then. By calls: a store through a new mapping would
 * fault at each page. In pieces of 2 MiB: for such a piece a file system with large folios (ext4 on Linux 6.18) takes a page of
 * 2 MiB, which a mapping has with one entry of the tables.
 */
final class Zeros {

    private static final long PIECE_BYTES = 2L << 20;
    private static final long FITTING_PART = 8; // of the memory one is left to others

    private Zeros() {}

    /** Returns whether a log of so many bytes fits into memory: else zeros leave it before a writer comes. */
    static boolean stay(Storage storage, long logBytes) {
        return logBytes <= storage.memoryBytes() / FITTING_PART * (FITTING_PART - 1);
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
