package dev.larder.lab.database;

import dev.larder.cli.Figures;
import dev.larder.lab.run.RecordScan;
import dev.larder.lab.run.Records;
import java.nio.file.Path;

/** A store that forwards all calls to another one; each subclass breaks one promise. */
abstract class ForwardingStore implements RecordStore {

    private final RecordStore store;

    ForwardingStore(RecordStore store) {
        this.store = store;
    }

    @Override
    public Figures create(Path directory) throws Exception {
        return store.create(directory);
    }

    @Override
    public void insert(Records records, long first, long count) throws Exception {
        store.insert(records, first, count);
    }

    @Override
    public void commit() throws Exception {
        store.commit();
    }

    @Override
    public void finish() throws Exception {
        store.finish();
    }

    @Override
    public void scan(RecordScan scan) throws Exception {
        store.scan(scan);
    }

    @Override
    public void index(Records records, long count) throws Exception {
        store.index(records, count);
    }

    @Override
    public void query(Records records, long[] ids) throws Exception {
        store.query(records, ids);
    }

    @Override
    public boolean mix(MixedWork work) throws Exception {
        return store.mix(work);
    }

    @Override
    public long bytesOnDisk() throws Exception {
        return store.bytesOnDisk();
    }

    @Override
    public void close() throws Exception {
        store.close();
    }
}
