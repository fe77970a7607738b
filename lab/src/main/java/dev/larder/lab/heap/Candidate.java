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
 * A subject, a collector and an amount of live bytes: one process under test.
 *
 * @param subject the values' keeper
 * @param collector of its JVM
 * @param liveBytes of the values
 * @param heapBytes of its JVM, all of it touched before the first request
 * @param writesPercent of its requests
 */
record Candidate(HeapSubject subject, Collector collector, long liveBytes, long heapBytes, double writesPercent) {

    private static final long MIB = 1L << 20;

    /** A JVM's memory besides its heap: code, metadata, stacks, the flight recorder. */
    private static final long JVM_BYTES = 192 * MIB;

    /** Marks, remembered sets and the like, as a divisor of the heap; ZGC needs most. */
    private static final long COLLECTOR_SHARE = 16;

    /** A map entry's bytes besides its value: its key, its header, its index word. */
    private static final long INDEX_BYTES = 32;

    /** A folder in memory for a map's files, on a system that has one. */
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

    /** Returns the folder for its files: for a map, one in memory if possible; else the given one. */
    Path folder(Path given) {
        return isMap() && Files.isWritable(MEMORY)
                ? MEMORY.resolve("larder-lab-" + ProcessHandle.current().pid())
                : given;
    }

    /** Returns a name for a file. */
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

    /** Returns the key of its rows. */
    Figures figures() {
        return new Figures()
                .put("subject", subject.name())
                .put("collector", collector)
                .put("live_bytes", liveBytes)
                .put("heap_bytes", heapBytes)
                .put("keys", keys())
                .put("writes_percent", writesPercent);
    }

    /** Returns the size of its values, for people. */
    String values() {
        return ByteSize.format(liveBytes) + " of values";
    }

    /** Returns the bytes on disk of a phase and its warm-up; half of the last segment may be empty. */
    static long responseBytes(HeapOptions options) {
        double seconds = options.seconds() + options.warmUpSeconds();
        return (long) (2 * options.requests().perSecond() * seconds * RESPONSE_BYTES);
    }

    /** Returns the memory in use while it is measured. */
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
