package dev.larder.lab.search;

import dev.larder.cli.Figures;
import dev.larder.lab.load.LoadGenerator;
import dev.larder.lab.machine.Budget;
import dev.larder.lab.process.Collector;
import dev.larder.lab.process.JavaProcess;
import java.util.List;

/**
 * A directory under a collector: one server.
 *
 * @param directory that serves the index
 * @param collector of the server's JVM
 * @param heapBytes of the server's JVM, all touched before the index is opened
 */
record SearchCandidate(SearchDirectory directory, Collector collector, long heapBytes) {

    private static final long MIB = 1L << 20;

    /** The memory of the lab and the system beside the servers. */
    static final long BESIDE_BYTES = 1024 * MIB;

    /** A JVM's memory besides its heap: code, metadata, stacks, the flight recorder. */
    private static final long JVM_BYTES = 192 * MIB;

    /** Marks, remembered sets and the like, as a divisor of the heap; ZGC needs most. */
    private static final long COLLECTOR_SHARE = 16;

    /** Returns a name for a file: {@code mmap-preloaded-g1}. */
    String name() {
        return directory + "-" + collector;
    }

    String title() {
        return directory.title() + ", " + collector.title();
    }

    /**
     * Returns the command of its process. Lucene decodes by vectors, and advises the kernel on its mappings, only if
     * permitted: every candidate permits both.
     */
    List<String> command(Class<?> main) {
        String lucene = main.getModule().isNamed() ? "org.apache.lucene.core" : "ALL-UNNAMED";
        return JavaProcess.command(
                heapBytes,
                main,
                List.of(
                        collector.flag(),
                        "-XX:+AlwaysPreTouch",
                        "--add-modules=jdk.incubator.vector",
                        "--enable-native-access=" + lucene));
    }

    /** Returns the key of its rows. */
    Figures figures() {
        return new Figures()
                .put("subject", directory)
                .put("collector", collector)
                .put("heap_bytes", heapBytes);
    }

    /** Returns the key of its samples of a kind. */
    Figures sample(String kind) {
        return new Figures().put("sample", kind).put("subject", directory).put("collector", collector);
    }

    /** Returns its server's memory that is neither file nor page cache. */
    long takenBytes(long indexBytes) {
        return heapBytes + heapBytes / COLLECTOR_SHARE + JVM_BYTES + (directory.takesMemory() ? indexBytes : 0);
    }

    /** Returns the memory in use while it is measured. */
    Budget memory(long indexBytes) {
        return new Budget()
                .add("heap", heapBytes)
                .add("index", directory.onHeap() ? 0 : indexBytes)
                .add("collector's tables", heapBytes / COLLECTOR_SHARE)
                .add("the rest of the server", JVM_BYTES)
                .add("generator", LoadGenerator.HEAP_BYTES + JVM_BYTES)
                .add("this process", 2 * JVM_BYTES);
    }
}
