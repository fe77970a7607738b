package dev.larder.lab.database;

import dev.larder.cli.Figures;
import dev.larder.lab.result.Require;
import dev.larder.lab.run.RecordReader;
import dev.larder.lab.run.RecordScan;
import dev.larder.lab.run.Records;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.queue.Appender;
import dev.larder.queue.Batch;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A Larder queue under test: a record is a message, a commit is the flush of a batch, and a sync if it must be
 * durable.
 *
 * <p>A log has no index by key. For lookups, the reader keeps the positions of the records: 8 bytes each, collected by
 * one walk over the queue.
 */
final class LarderStore implements RecordStore {

    private final Durability durability;
    private long[] positions = {};
    private @Nullable LarderQueue queue;
    private @Nullable Appender appender;
    private @Nullable Batch batch;

    LarderStore(Durability durability) {
        this.durability = durability;
    }

    @Override
    public Figures create(Path directory) {
        queue = LarderQueue.open(directory, LogOptions.defaults().withSync(SyncPolicy.none()));
        appender = queue.appender();
        batch = appender.batch();
        return new Figures()
                .put(
                        "promise",
                        durability == Durability.COMMIT
                                ? "sync() at each commit: what it returned survives the loss of power"
                                : "each flush survives the process, nothing torn is ever served; one sync() at the end")
                .put("append", "batches, flushed at each commit")
                .put("sync_policy", "none: synced by the experiment alone")
                .put("integrity", queue.info().integrity())
                .put("index", "a table of positions that the reader keeps, 8 bytes a record")
                .put("other_options", "defaults");
    }

    @Override
    public void insert(Records records, long first, long count) {
        Batch target = Require.open(batch);
        MemorySegment source = records.segment();
        int length = records.recordBytes();
        for (long id = first; id < first + count; id++) {
            target.add(source, records.make(id), length);
        }
    }

    @Override
    public void commit() {
        Require.open(batch).flush();
        if (durability == Durability.COMMIT) {
            Require.open(queue).sync();
        }
    }

    @Override
    public void finish() {
        Require.open(batch).flush();
        Require.open(queue).sync();
    }

    @Override
    public void scan(RecordScan scan) {
        try (Tailer tailer = Require.open(queue).tailer()) {
            RecordReader.scan(scan, tailer);
        }
    }

    @Override
    public void index(Records records, long count) {
        positions = new long[Math.toIntExact(count)];
        try (Tailer tailer = Require.open(queue).tailer()) {
            RecordReader.indexing(records, tailer, positions).readAll(count);
        }
    }

    @Override
    public void query(Records records, long[] ids) {
        try (Tailer tailer = Require.open(queue).tailer()) {
            RecordReader reader = RecordReader.checking(records, tailer);
            for (long id : ids) {
                reader.read(id, positions[(int) id]);
            }
        }
    }

    /** A log replaces nothing: it appends a newer message; the reader's table points to that. */
    @Override
    public boolean mix(MixedWork work) {
        try (Tailer tailer = Require.open(queue).tailer()) {
            for (int i = 0; i < work.count(); i++) {
                int id = Math.toIntExact(work.id(i));
                if (work.isWrite(i)) {
                    Records replacing = work.replacement(i);
                    long from = replacing.make(id);
                    positions[id] = Require.open(appender).append(replacing.segment(), from, replacing.recordBytes());
                } else {
                    RecordReader.checking(work.expected(i), tailer).read(id, positions[id]);
                }
                if (work.isCommit(i) && durability == Durability.COMMIT) {
                    Require.open(queue).sync();
                }
            }
        }
        return true;
    }

    @Override
    public long bytesOnDisk() {
        return Require.open(queue).info().bytes();
    }

    @Override
    public void close() {
        if (queue != null) {
            Require.open(batch).close();
            Require.open(appender).close();
            queue.close();
            queue = null;
        }
    }
}
