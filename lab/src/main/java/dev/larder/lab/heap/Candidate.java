package dev.larder.lab.heap;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.load.LoadGenerator;
import dev.larder.lab.machine.Budget;
import dev.larder.lab.process.Collector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A subject under a collector with so many live bytes: one process under test.
 *
 * @param subject what keeps the values
 * @param collector of its JVM
 * @param liveBytes of the values
 * @param heapBytes of its JVM, all of it touched before the first request
 * @param writesPercent of its requests
 */
record Candidate(HeapSubject subject, Collector collector, long liveBytes, long heapBytes, double writesPercent) {

    private static final long MIB = 1L << 20;

    /** What a JVM takes beside its heap: code, metadata, stacks, the flight recorder. */
    private static final long JVM_BYTES = 192 * MIB;

    /** Marks, remembered sets and the like, as a share of the heap; that of ZGC is the greatest. */
    private static final long COLLECTOR_SHARE = 16;

    /** What an entry of a map takes beside its value: its key, its header, its word in the index. */
    private static final long INDEX_BYTES = 32;

    /** Where a map's files are in memory, on a system that has such a place. */
    private static final Path MEMORY = Path.of("/dev/shm");

    /** A response is a record of 56 bytes in the generator's queue. */
    private static final long RESPONSE_BYTES = 56;

    long keys() {
        return liveBytes / Value.BYTES;
    }

    private boolean isMap() {
        return subject.equals(HeapSubject.LARDER);
    }

    long regionBytes() {
        if (subject.onHeap()) {
            return 0;
        }
        return isMap()
                ? (long) (keys() * (RegionStore.SLOT_BYTES + INDEX_BYTES) * LarderValueStore.SPACE_FACTOR)
                : keys() * RegionStore.SLOT_BYTES;
    }

    /** Returns the folder for its files: in memory if it can be; else, and for all but maps, the one given. */
    Path folder(Path given) {
        return isMap() && Files.isWritable(MEMORY)
                ? MEMORY.resolve("larder-lab-" + ProcessHandle.current().pid())
                : given;
    }

    /** Returns a name that fits a file. */
    String name() {
        return String.format(Locale.ROOT, "%s-%s-%dMiB", subject.name(), collector, liveBytes / MIB);
    }

    String title() {
        return subject.title() + ", " + collector.title();
    }

    List<String> command() {
        List<String> flags = new ArrayList<>(List.of(collector.flag(), "-XX:+AlwaysPreTouch"));
        if (!subject.onHeap()) {
            flags.add("-XX:MaxDirectMemorySize=" + ((regionBytes() + 64 * MIB) >> 10) + "k");
        }
        return subject.starter().command(heapBytes, flags);
    }

    /** Returns what tells its rows from others. */
    Figures figures() {
        return new Figures()
                .put("subject", subject.name())
                .put("collector", collector)
                .put("live_bytes", liveBytes)
                .put("heap_bytes", heapBytes)
                .put("keys", keys())
                .put("writes_percent", writesPercent);
    }

    /** Returns what there is to be of its values, for people. */
    String values() {
        return ByteSize.format(liveBytes) + " of values";
    }

    /** Returns the bytes on disk of one phase, warm-up included: of its last segment, half may be empty. */
    static long responseBytes(HeapOptions options) {
        double seconds = options.seconds() + options.warmUpSeconds();
        return (long) (2 * options.requests().perSecond() * seconds * RESPONSE_BYTES);
    }

    /** Returns everything that is in memory while it is measured. */
    Budget memory(HeapOptions options) {
        return new Budget()
                .add("heap", heapBytes)
                .add("off-heap region", regionBytes())
                .add("collector's tables", heapBytes / COLLECTOR_SHARE)
                .add("the rest of the target", JVM_BYTES)
                .add("generator", LoadGenerator.HEAP_BYTES + JVM_BYTES)
                .add("this process", 2 * JVM_BYTES)
                .add("responses in the page cache", responseBytes(options));
    }
}
