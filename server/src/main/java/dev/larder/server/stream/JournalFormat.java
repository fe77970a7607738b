package dev.larder.server.stream;

import dev.larder.memory.Access;
import dev.larder.memory.Allocation;
import dev.larder.memory.Features;
import dev.larder.memory.FileHeader;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * The format of the journal's records. It is a file beside the files of the journal's log, and holds only the common header. A
 * journal without the file has version 1, which came before the file.
 */
final class JournalFormat {

    static final String FORMAT = "JOURNAL";
    static final String NAME = "journal.ctl";

    private static final int VERSION = 1;
    private static final String MAKING = "journal.ctl.tmp";

    private JournalFormat() {}

    /**
     * Returns whether the file is there.
     *
     * @throws dev.larder.memory.NewerFormatException if a newer release wrote the journal
     */
    static boolean check(Path journal, Storage storage) {
        if (!storage.list(journal).contains(NAME)) {
            return false;
        }
        Path path = journal.resolve(NAME);
        try (StorageFile file = storage.open(path, false)
                        .orElseThrow(() -> new StorageException(path + ": the file was removed meanwhile"));
                Arena arena = Arena.ofShared()) {
            MemorySegment bytes = file.map(0, Math.min(FileHeader.LARGEST_BYTES, file.sizeBytes()), false, arena);
            FileHeader.read(bytes, path, FORMAT, VERSION, Features.NONE, true);
        }
        return true;
    }

    /** Writes the file, durably, before the first record. */
    static void create(Path journal, Storage storage, Access access) {
        Path made = journal.resolve(MAKING);
        storage.delete(made);
        try (StorageFile file = storage.create(made, access)
                        .orElseThrow(() -> new StorageException(made + ": a file of this name exists"));
                Arena arena = Arena.ofShared()) {
            MemorySegment bytes = arena.allocate(FileHeader.COMMON_BYTES, Long.BYTES);
            FileHeader.write(bytes, FORMAT, VERSION, FileHeader.COMMON_BYTES, Features.NONE);
            file.allocate(FileHeader.COMMON_BYTES, Allocation.ZEROS);
            file.write(bytes, 0);
            file.forceAll();
        }
        storage.rename(made, journal.resolve(NAME));
        storage.syncDirectory(journal);
    }
}
