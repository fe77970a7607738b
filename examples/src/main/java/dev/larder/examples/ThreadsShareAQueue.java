package dev.larder.examples;

import dev.larder.codec.Codec;
import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.TypedTailer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Each thread has its own appender, and each reader its own tailer. Every tailer sees the same order. */
public final class ThreadsShareAQueue {

    private static final int THREADS = 4;
    private static final int EACH = 1000;

    private ThreadsShareAQueue() {}

    public static void main(String[] arguments) throws InterruptedException {
        List<String> first;
        List<String> second;
        try (LarderQueue queue = LarderQueue.open(Path.of(arguments[0]))) {
            List<Thread> writers = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                String name = "writer " + thread;
                writers.add(Thread.ofVirtual().start(() -> append(queue, name)));
            }
            for (Thread writer : writers) {
                writer.join();
            }
            first = read(queue);
            second = read(queue);
        }
        System.out.println("two tailers have seen " + first.size() + " messages each");
        if (first.size() != THREADS * EACH || !first.equals(second)) {
            throw new IllegalStateException("one has " + first.size() + ", the other " + second.size());
        }
    }

    private static void append(LarderQueue queue, String name) {
        try (Appender appender = queue.appender()) {
            for (int message = 0; message < EACH; message++) {
                appender.append(name + ": " + message);
            }
        }
    }

    private static List<String> read(LarderQueue queue) {
        List<String> messages = new ArrayList<>();
        try (TypedTailer<String> tailer = queue.tailer(Codec.texts())) {
            tailer.drain(messages::add, Integer.MAX_VALUE);
        }
        return messages;
    }
}
