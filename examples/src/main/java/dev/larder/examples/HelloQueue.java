package dev.larder.examples;

import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A queue is a directory. Appended messages are on disk, and are read in order. */
public final class HelloQueue {

    private HelloQueue() {}

    public static void main(String[] arguments) {
        List<String> seen = new ArrayList<>();
        try (LarderQueue queue = LarderQueue.open(Path.of(arguments[0]))) {
            Appender appender = queue.appender();
            appender.append("hello");
            appender.append("queue");
            queue.sync(); // both messages survive the death of the machine, not only of this process

            Tailer tailer = queue.tailer(); // before the oldest message
            while (tailer.poll((segment, offset, length) -> {
                byte[] bytes = segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
                seen.add(new String(bytes, StandardCharsets.UTF_8));
            })) {
                System.out.println(seen.getLast());
            }
        }
        if (!seen.equals(List.of("hello", "queue"))) {
            throw new IllegalStateException("read " + seen);
        }
    }
}
