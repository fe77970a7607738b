package dev.larder.lab.database;

import dev.larder.lab.run.Records;
import java.io.IOException;

/** The child of a store that loses one record: a control of the checks. */
public final class LossyChild {

    static final long LOST = 37;

    private LossyChild() {}

    public static void main(String[] arguments) throws IOException {
        StoreChild.serve(plan -> new Lossy(new LarderStore(StoreChild.durability(plan))));
    }

    private static final class Lossy extends ForwardingStore {

        Lossy(RecordStore store) {
            super(store);
        }

        @Override
        public void insert(Records records, long first, long count) throws Exception {
            for (long id = first; id < first + count; id++) {
                if (id != LOST) {
                    super.insert(records, id, 1);
                }
            }
        }
    }
}
