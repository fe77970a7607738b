package dev.larder.lab.database;

import dev.larder.cli.Figures;
import dev.larder.codec.ValueCodec;
import dev.larder.lab.result.LabException;
import dev.larder.lab.result.Require;
import dev.larder.lab.run.RecordScan;
import dev.larder.lab.run.Records;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.map.LarderMap;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A LarderMap under test. A record is an entry keyed by its number; a durable commit is a sync. A scan goes by number,
 * since a map has no order of its own.
 */
final class LarderMapStore implements RecordStore {

    private final Durability durability;
    private final RecordCodec codec = new RecordCodec();
    private Path directory = Path.of("");
    private @Nullable LarderMap<Long, RecordPlace> map;

    /** A record, at its place among the others. */
    private record RecordPlace(Records records, long offset) {}

    LarderMapStore(Durability durability) {
        this.durability = durability;
    }

    @Override
    public Figures create(Path place) {
        directory = place;
        map = LarderMap.open(
                place, ValueCodec.longs(), codec, LogOptions.defaults().withSync(SyncPolicy.none()));
        return new Figures()
                .put(
                        "promise",
                        durability == Durability.COMMIT
                                ? "sync() at each commit: what it returned survives the loss of power"
                                : "each put survives the process; one sync() at the end")
                .put("put", "LarderMap.set, one after another")
                .put("sync_policy", "none: synced by the experiment alone")
                .put("index", "the map's own")
                .put("other_options", "defaults");
    }

    private LarderMap<Long, RecordPlace> map() {
        return Require.present(map, "the map is not open");
    }

    @Override
    public void insert(Records records, long first, long count) {
        for (long id = first; id < first + count; id++) {
            put(records, id);
        }
    }

    private void put(Records records, long id) {
        map().set(id, new RecordPlace(records, records.make(id)));
    }

    @Override
    public void commit() {
        if (durability == Durability.COMMIT) {
            map().sync();
        }
    }

    @Override
    public void finish() {
        map().sync();
    }

    @Override
    public void scan(RecordScan scan) {
        long count = map().longSize();
        for (long id = 0; id < count; id++) {
            require(map().read(id, scan::take), id);
        }
    }

    private static void require(boolean there, long id) {
        if (!there) {
            throw new LabException("record " + id + " was not found");
        }
    }

    @Override
    public void query(Records records, long[] ids) {
        for (long id : ids) {
            read(records, id);
        }
    }

    private void read(Records records, long id) {
        require(map().read(id, (segment, offset, length) -> records.checkBytes(id, segment, offset, length)), id);
    }

    @Override
    public boolean mix(MixedWork work) {
        for (int i = 0; i < work.count(); i++) {
            if (work.isWrite(i)) {
                put(work.replacement(i), work.id(i));
            } else {
                read(work.expected(i), work.id(i));
            }
            if (work.isCommit(i)) {
                commit();
            }
        }
        return true;
    }

    @Override
    public long bytesOnDisk() throws IOException {
        return StoreFiles.bytes(directory);
    }

    @Override
    public void close() {
        if (map != null) {
            map.close();
            map = null;
        }
    }

    /** Writes a record from its place; never reads one back. */
    private static final class RecordCodec implements ValueCodec<RecordPlace> {

        @Override
        public String name() {
            return "lab-record";
        }

        @Override
        public int lengthBytes(RecordPlace value) {
            return value.records().recordBytes();
        }

        @Override
        public void write(RecordPlace value, MemorySegment segment, long offset, int length) {
            MemorySegment.copy(value.records().segment(), value.offset(), segment, offset, length);
        }

        @Override
        public RecordPlace read(MemorySegment segment, long offset, int length) {
            throw new UnsupportedOperationException("records are read where they lie");
        }
    }
}
