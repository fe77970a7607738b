package dev.larder.array.stripe;

import dev.larder.log.Log;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.Access;
import dev.larder.memory.Allocation;
import dev.larder.memory.Features;
import dev.larder.memory.FileHeader;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.Optional;

/** The file in which a store records its moment. */
final class KeptFile {

    private static final int VERSION = 1;
    private static final int BYTES = 1024;
    private static final int STRINGS = 72;
    private static final int NAMES = 80;
    private static final int RECORDS = 88;
    private static final int NOTE_BYTES = 112;
    private static final int NOTE = 120;

    private KeptFile() {}

    /** Returns where the log of a map ends, which may have lost its last part; 0 if there is no map. */
    private static long end(Path map, Storage storage) {
        Optional<StorageFile> control = storage.open(map.resolve("log.ctl"), false);
        control.ifPresent(StorageFile::close);
        if (control.isEmpty()) {
            return 0;
        }
        LogOptions options = HookedOptions.withStorage(LogOptions.defaults(), storage);
        try (Log log = Log.open(map, options.withPrepareBytes(0))) {
            return log.endPosition();
        }
    }

    /** Writes to the file of a store that nothing is to be undone, and how far the stripe has come. */
    static void forgetRestorePoints(Path store, Storage storage, Mark mark) {
        Path path = store.resolve("kept");
        try (StorageFile file = storage.open(path, true)
                        .or(() -> storage.create(path, Access.OWNER))
                        .orElseThrow();
                Arena arena = Arena.ofShared()) {
            if (file.sizeBytes() == 0) {
                file.allocate(BYTES, Allocation.ZEROS);
            }
            MemorySegment bytes = file.map(0, BYTES, true, arena);
            bytes.set(ValueLayout.JAVA_LONG, STRINGS, end(store.resolve("strings"), storage));
            bytes.set(ValueLayout.JAVA_LONG, NAMES, end(store.resolve("streams", "names"), storage));
            bytes.set(ValueLayout.JAVA_LONG, RECORDS, end(store.resolve("streams", "records"), storage));
            byte[] note = mark.encode();
            bytes.set(ValueLayout.JAVA_LONG, NOTE_BYTES, note.length);
            MemorySegment.copy(note, 0, bytes, ValueLayout.JAVA_BYTE, NOTE, note.length);
            FileHeader.write(bytes, "KEPT", VERSION, BYTES, Features.NONE);
        }
    }
}
