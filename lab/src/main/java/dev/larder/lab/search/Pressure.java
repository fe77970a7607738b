package dev.larder.lab.search;

import dev.larder.cli.Figures;
import dev.larder.lab.load.SkippedException;
import dev.larder.lab.process.ChildProcess;
import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.process.MemoryLimit;
import dev.larder.lab.result.Directories;
import dev.larder.memory.LarderException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * One memory limit for a server and a companion that moves files of four times that limit through the page cache.
 *
 * <pre>
 *   limit = heap + index + 15 %        the same for every configuration
 *   |--- server: heap, its index ---|--- companion: pages of its files ---|
 * </pre>
 */
final class Pressure implements AutoCloseable {

    private static final double ROOM = 1.15;
    private static final long FILES_OVER_LIMIT = 4;
    private static final long OTHERS_BYTES = 400L << 20;
    private static final long COMPANION_HEAP_BYTES = 32L << 20;

    private final MemoryLimit limit;
    private final ChildProcess companion;

    private Pressure(MemoryLimit limit, ChildProcess companion) {
        this.limit = limit;
        this.companion = companion;
    }

    /** Returns the limit for a heap and an index of so many bytes. */
    static long limitBytes(long heapBytes, long indexBytes) {
        return (long) ((heapBytes + indexBytes) * ROOM) & -4096L;
    }

    /** Returns the rest of that limit for an index, after the heap, a JVM's other needs, and the companion. */
    static long indexBytes(long heapBytes, long indexBytes) {
        return Math.max(0, limitBytes(heapBytes, indexBytes) - heapBytes - OTHERS_BYTES);
    }

    static long fileBytes(long limitBytes) {
        return FILES_OVER_LIMIT * limitBytes;
    }

    /**
     * Creates a group that several processes can share.
     *
     * @throws SkippedException with all ways tried, if none can be created
     */
    static MemoryLimit group(long bytes) {
        List<String> tried = new ArrayList<>();
        return MemoryLimit.shared(bytes, tried)
                .orElseThrow(() ->
                        new SkippedException("cannot create a memory control group for a server and its companion: "
                                + String.join("; ", tried)));
    }

    static Pressure start(MemoryLimit limit, Path directory, Path logs, long bytesPerSecond) {
        ChildProcess companion = ChildProcess.start(
                "pressure", JavaProcess.command(COMPANION_HEAP_BYTES, PressureChild.class), limit, logs);
        try {
            Long bytes = limit.bytes();
            companion.ask(
                    "start",
                    new Figures()
                            .put("directory", Directories.create(directory).toAbsolutePath())
                            .put("bytes", fileBytes(bytes == null ? 0 : bytes))
                            .put("bytes_per_s", bytesPerSecond));
            return new Pressure(limit, companion);
        } catch (LarderException e) {
            companion.close();
            throw e;
        }
    }

    ChildProcess companion() {
        return companion;
    }

    /** Returns the companion's {@code written_bytes} and {@code read_bytes}, and the group's use. */
    Figures moved() {
        Figures moved = companion.ask("moved", new Figures());
        limit.group()
                .ifPresent(group -> moved.put("group_used_bytes", group.usedBytes())
                        .put("group_cached_bytes", group.cachedBytes()));
        return moved;
    }

    @Override
    public void close() {
        companion.close();
    }
}
