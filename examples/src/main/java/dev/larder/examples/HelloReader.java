package dev.larder.examples;

import dev.larder.codec.Codec;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.TypedTailer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The reading process of two. It reads while {@link HelloWriter} appends, and sleeps in between. */
public final class HelloReader {

    private HelloReader() {}

    public static void main(String[] arguments) throws InterruptedException {
        List<String> seen = new ArrayList<>();
        try (LarderQueue queue = LarderQueue.open(Path.of(arguments[0]));
                TypedTailer<String> tailer = queue.tailer(Codec.texts())) {
            while (!seen.contains(HelloWriter.LAST)) {
                if (!tailer.poll(seen::add, Duration.ofSeconds(60))) {
                    throw new IllegalStateException("nobody has appended for a minute");
                }
            }
        }
        System.out.println("read " + seen.size() + " messages");
        if (seen.size() != HelloWriter.MESSAGES || !seen.getFirst().equals("message 1")) {
            throw new IllegalStateException("read " + seen.size() + " messages, the first is " + seen.getFirst());
        }
    }
}
