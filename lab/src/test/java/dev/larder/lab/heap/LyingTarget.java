package dev.larder.lab.heap;

import dev.larder.lab.process.JavaProcess;
import java.io.IOException;

/** The target of a store that returns another key's value for one in ten keys: a control of the checks. */
public final class LyingTarget {

    static final HeapSubject SUBJECT = new HeapSubject(
            "liar", "liar", true, (heapBytes, flags) -> JavaProcess.command(heapBytes, LyingTarget.class, flags));

    private static final long ONE_IN = 10;

    private LyingTarget() {}

    public static void main(String[] arguments) throws IOException {
        HeapTarget.serve((keys, directory) -> new Lying(new RegionStore(keys)));
    }

    private record Lying(ValueStore store) implements ValueStore {

        @Override
        public void put(long key, byte[] bytes) {
            store.put(key, bytes);
        }

        @Override
        public boolean get(long key, byte[] into) {
            return store.get(key % ONE_IN == 1 ? key - 1 : key, into);
        }
    }
}
