package dev.larder.tests.scale;

import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.Storage;
import dev.larder.memory.SystemStorage;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import java.nio.file.Path;

/**
 * A process that opens a queue, {@code <storage> <directory>}, and reads it from one end to the other. After each step it
 * prints the resources that it holds.
 */
public final class LongReader {

    private LongReader() {}

    /** Opens, reads, closes. */
    public static void main(String[] args) {
        Storage files = args[0].equals("portable") ? SystemStorage.portable() : SystemStorage.system();
        Path directory = Path.of(args[1]);
        LogOptions options = HookedOptions.withStorage(LogOptions.defaults(), files);
        long first = System.nanoTime();
        try (LarderQueue queue = LarderQueue.open(directory, options)) {
            first = System.nanoTime() - first;
            assert queue.durablePosition() >= 0;
        }
        long second = System.nanoTime();
        try (LarderQueue queue = LarderQueue.open(directory, options)) {
            second = System.nanoTime() - second;
            say("OPENED", "firstMicros=" + first / 1000 + " secondMicros=" + second / 1000, directory);
            say("READ", "messages=" + read(queue), directory);
        }
        say("CLOSED", "", directory);
    }

    private static long read(LarderQueue queue) {
        long messages = 0;
        try (Tailer tailer = queue.tailer()) {
            int drained = 1;
            while (drained > 0) {
                drained = tailer.drain((segment, offset, length) -> {}, 1000);
                messages += drained;
            }
        }
        return messages;
    }

    private static void say(String step, String more, Path directory) {
        System.out.println(step + " " + Taken.now(directory).words() + " " + more);
    }
}
