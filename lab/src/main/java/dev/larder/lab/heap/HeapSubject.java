package dev.larder.lab.heap;

import dev.larder.lab.load.SkippedException;
import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.process.RivalClassPath;
import dev.larder.memory.LarderException;
import java.util.List;

/**
 * A place for values, and the process with it.
 *
 * @param name in options and results
 * @param title for people
 * @param onHeap whether the values are on the heap, which must then exceed their size
 * @param starter how its process is started
 */
record HeapSubject(String name, String title, boolean onHeap, Starter starter) {

    static final HeapSubject HASH_MAP = ours("concurrent-hash-map", "ConcurrentHashMap", true);

    static final HeapSubject CAFFEINE = new HeapSubject(
            "caffeine",
            "Caffeine",
            true,
            (heapBytes, flags) ->
                    RivalClassPath.command(heapBytes, "dev.larder.benchmarks.rivals.CaffeineTarget", flags));

    static final HeapSubject REGION = ours("region", "off-heap region", false);

    static final HeapSubject LARDER = ours("larder", "LarderMap", false);

    private static final List<HeapSubject> ALL = List.of(HASH_MAP, CAFFEINE, LARDER, REGION);

    /** Returns the command that starts a process with a heap and flags. */
    @FunctionalInterface
    interface Starter {
        List<String> command(long heapBytes, List<String> flags);
    }

    private static HeapSubject ours(String name, String title, boolean onHeap) {
        return new HeapSubject(name, title, onHeap, (heapBytes, flags) -> {
            List<String> command = JavaProcess.command(heapBytes, HeapTarget.class, flags);
            command.add(name);
            return command;
        });
    }

    static List<String> names() {
        return ALL.stream().map(HeapSubject::name).toList();
    }

    static HeapSubject named(String name) {
        return ALL.stream()
                .filter(subject -> subject.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no subject '" + name + "'; there are: " + names()));
    }

    /** @throws SkippedException with the reason why it cannot start here */
    void require() {
        try {
            var _ = starter.command(1L << 30, List.of());
        } catch (LarderException e) {
            throw new SkippedException(String.valueOf(e.getMessage()));
        }
    }
}
