package dev.larder.lab.database;

import dev.larder.cli.Figures;
import dev.larder.lab.run.Records;
import java.io.IOException;
import java.nio.file.Path;

/** The child of a store that says it has replaced records, and has not: a control of the checks. */
public final class ForgettingChild {

    private ForgettingChild() {}

    public static void main(String[] arguments) throws IOException {
        StoreChild.serve(plan -> new Forgetting(new LarderMapStore(StoreChild.durability(plan))));
    }

    private record Forgetting(RecordStore store) implements RecordStore {

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
        public void query(Records records, long[] ids) throws Exception {
            store.query(records, ids);
        }

        @Override
        public boolean mix(MixedWork work) {
            for (int i = 0; i < work.count(); i++) {
                if (work.isWrite(i)) {
                    work.replacement(i);
                }
            }
            return true;
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
