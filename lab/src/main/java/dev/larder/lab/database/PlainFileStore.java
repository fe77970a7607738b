package dev.larder.lab.database;

import dev.larder.cli.Figures;
import dev.larder.lab.result.Require;
import dev.larder.lab.run.RecordScan;
import dev.larder.lab.run.Records;
import dev.larder.memory.Access;
import dev.larder.memory.Allocation;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import dev.larder.memory.SystemStorage;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The machine's own limit: records in sequence in a file with reserved blocks. They are written in blocks of 1 MiB by
 * pwrite, with write-back started behind, and fsync if durable; reads use a mapping. The file has no end mark, no
 * check and no other process, so this is a limit, not a store.
 */
final class PlainFileStore implements RecordStore {

    private static final int BLOCK_BYTES = 1 << 20;
    private static final long WRITEBACK_BYTES = 16L << 20;

    private final Durability durability;
    private final long bytes;
    private final Storage storage = SystemStorage.system();
    private final Arena arena = Arena.ofShared();
    private final MemorySegment block = arena.allocate(BLOCK_BYTES, 4096);
    private Path directory = Path.of("");
    private @Nullable StorageFile file;
    private long written;
    private long behind;
    private int staged;

    /** A file for so many bytes. */
    PlainFileStore(Durability durability, long bytes) {
        this.durability = durability;
        this.bytes = bytes;
    }

    @Override
    public Figures create(Path place) {
        directory = place;
        StorageFile created =
                storage.create(place.resolve("records"), Access.OWNER).orElseThrow();
        created.allocate(bytes, Allocation.RESERVE);
        storage.syncDirectory(place);
        file = created;
        return new Figures()
                .put("promise", "fsync " + (durability == Durability.COMMIT ? "at each commit" : "once at the end"))
                .put("write", "pwrite of 1 MiB blocks into reserved space, write-back started every 16 MiB")
                .put("read", "mapped");
    }

    @Override
    public void insert(Records records, long first, long count) {
        MemorySegment source = records.segment();
        int length = records.recordBytes();
        for (long id = first; id < first + count; id++) {
            if (staged + length > BLOCK_BYTES) {
                flush();
            }
            MemorySegment.copy(source, records.make(id), block, staged, length);
            staged += length;
        }
    }

    private void flush() {
        if (staged == 0) {
            return;
        }
        open().write(block.asSlice(0, staged), written);
        written += staged;
        staged = 0;
        if (written - behind >= WRITEBACK_BYTES) {
            open().startWriteback(behind, written - behind);
            behind = written;
        }
    }

    @Override
    public void commit() {
        flush();
        if (durability == Durability.COMMIT) {
            open().forceAll();
        }
    }

    @Override
    public void finish() {
        flush();
        open().forceAll();
    }

    @Override
    public void scan(RecordScan scan) {
        try (Arena reading = Arena.ofShared()) {
            MemorySegment mapped = open().map(0, written, false, reading);
            int length = scan.recordBytes();
            for (long at = 0; at < written; at += length) {
                scan.take(mapped, at, length);
            }
        }
    }

    @Override
    public void query(Records records, long[] ids) {
        try (Arena reading = Arena.ofShared()) {
            MemorySegment mapped = open().map(0, written, false, reading);
            int length = records.recordBytes();
            for (long id : ids) {
                records.checkBytes(id, mapped, id * length, length);
            }
        }
    }

    @Override
    public long bytesOnDisk() throws IOException {
        return StoreFiles.bytes(directory);
    }

    @Override
    public void close() {
        if (file != null) {
            file.close();
            file = null;
            arena.close();
        }
    }

    private StorageFile open() {
        return Require.present(file, "the file is not open");
    }
}
