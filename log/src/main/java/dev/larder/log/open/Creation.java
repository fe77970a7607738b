package dev.larder.log.open;

import dev.larder.log.IntegrityMode;
import dev.larder.log.LogLayout;
import dev.larder.log.LogOptions;
import dev.larder.log.format.ControlLayout;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.shared.ControlFile;
import dev.larder.log.shared.MemoryIdentity;
import dev.larder.log.shared.PrivateFiles;
import dev.larder.memory.Allocation;
import dev.larder.memory.CorruptException;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/** The creation of a log where there is none: its control file, whole under a private name, then its first segment. */
final class Creation {

    private final Path directory;
    private final LogOptions options;
    private final Storage storage;

    Creation(Path directory, LogOptions options) {
        this.directory = directory;
        this.options = options;
        this.storage = HookedOptions.storage(options);
    }

    /** Makes the control file, durably, where there is none. Under GATE. */
    void createControl() {
        Path path = directory.resolve(ControlLayout.FILE_NAME);
        Optional<StorageFile> there = storage.open(path, true);
        there.ifPresent(StorageFile::close);
        if (there.isPresent()) {
            return;
        }
        checkNoSegments();
        Path temporary = directory.resolve("new-log" + PrivateFiles.SUFFIX);
        storage.delete(temporary);
        try (StorageFile file =
                        storage.create(temporary, options.access().files()).orElseThrow();
                Arena arena = Arena.ofShared()) {
            file.allocate(ControlLayout.SIZE_BYTES, Allocation.RESERVE);
            long asked = options.layout().largestSegmentBytes();
            long largest = asked == 0 ? LogLayout.LARGEST_SEGMENT_DEFAULT_BYTES : asked;
            ControlFile.format(
                    file.map(0, ControlLayout.SIZE_BYTES, true, arena),
                    UUID.randomUUID(),
                    options.durability().integrity().orElseGet(this::defaultIntegrity),
                    largest,
                    options.retention(),
                    HookedOptions.of(options).linked(),
                    storage.currentTimeMillis());
            file.forceAll();
        }
        storage.rename(temporary, path);
        storage.syncDirectory(directory);
    }

    /**
     * Returns the default mode. Seals keep unsynced records over the crash of a process, but only where a crash can be told
     * from a loss of power. Elsewhere each record is checked. So is each record of a linked log, which is read by position. To
     * prove one by seals, a reader would have to read all of their range.
     */
    private IntegrityMode defaultIntegrity() {
        boolean inOrder = MemoryIdentity.of(storage, directory).isKnown()
                && !HookedOptions.of(options).linked();
        return inOrder ? IntegrityMode.SEAL : IntegrityMode.RECORD;
    }

    private void checkNoSegments() {
        storage.list(directory).stream()
                .filter(name -> SegmentLayout.numberOf(name) >= 0)
                .findFirst()
                .ifPresent(name -> {
                    throw new CorruptException(
                            directory + ": there is a segment " + name + " but no " + ControlLayout.FILE_NAME);
                });
    }
}
