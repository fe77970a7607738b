package dev.larder.lab.database;

import dev.larder.lab.run.Records;
import java.io.IOException;

/** The child of a store that ends while it inserts. */
public final class DyingChild {

    private DyingChild() {}

    public static void main(String[] arguments) throws IOException {
        StoreChild.serve(plan -> new Dying(new LarderStore(StoreChild.durability(plan))));
    }

    private static final class Dying extends ForwardingStore {

        Dying(RecordStore store) {
            super(store);
        }

        @Override
        public void insert(Records records, long first, long count) {
            Runtime.getRuntime().halt(1);
        }
    }
}
