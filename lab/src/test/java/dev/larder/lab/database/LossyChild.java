package dev.larder.lab.database;

import dev.larder.cli.Figures;
import dev.larder.lab.run.Records;
import java.io.IOException;
import java.nio.file.Path;

/** The child of a store that loses one record: a control of the checks. */
public final class LossyChild {

    static final long LOST = 37;

    private LossyChild() {}

    public static void main(String[] arguments) throws IOException {
        StoreChild.serve(plan -> new Lossy(new LarderStore(StoreChild.durability(plan))));
    }

    private record Lossy(RecordStore store) implements RecordStore {

        @Override
        public Figures create(Path directory) throws Exception {
            return store.create(directory);
        }

        @Override
        public void insert(Records records, long first, long count) throws Exception {
            for (long id = first; id < first + count; id++) {
                if (id != LOST) {
                    store.insert(records, id, 1);
                }
            }
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
        public void index(long count) throws Exception {
            store.index(count);
        }

        @Override
        public void query(Records records, long[] ids) throws Exception {
            store.query(records, ids);
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
}
