package dev.larder.lab.database;

import java.io.IOException;

/** The child of a store that falsely claims to have replaced records: a control of the checks. */
public final class ForgettingChild {

    private ForgettingChild() {}

    public static void main(String[] arguments) throws IOException {
        StoreChild.serve(plan -> new Forgetting(new LarderMapStore(StoreChild.durability(plan))));
    }

    private static final class Forgetting extends ForwardingStore {

        Forgetting(RecordStore store) {
            super(store);
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
    }
}
