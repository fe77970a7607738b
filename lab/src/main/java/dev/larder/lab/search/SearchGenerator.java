package dev.larder.lab.search;

import dev.larder.lab.load.GeneratorLoop;
import java.io.IOException;

/** The process that sends searches and updates. */
public final class SearchGenerator {

    /** Its heap, which the tasks are in. */
    static final long HEAP_BYTES = 128L << 20;

    private SearchGenerator() {}

    /** Serves a conductor until it ends. */
    public static void main(String[] arguments) throws IOException {
        new GeneratorLoop().workload(SearchWorkload.NAME, SearchWorkload::open).serve();
    }
}
