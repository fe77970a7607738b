package dev.larder.tests.crash;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.map.LarderMap;
import dev.larder.map.MapOptions;
import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;

/**
 * Opens a queue and a map in a directory, and loads {@link Opened}. Then it makes the calls of both for the first time, past
 * the end of a segment.
 */
public final class FirstCalls {

    private static final int SEGMENT_BYTES = 2 << 20;
    private static final int MESSAGES = 100;
    private static final byte[] MESSAGE = new byte[SEGMENT_BYTES / 32];

    /** Marks a place in the JVM's class log: a first call initialised each class that comes after it. */
    static final class Opened {

        static int count = MESSAGES;

        private Opened() {}
    }

    private FirstCalls() {}

    /** Runs the program. */
    public static void main(String[] arguments) {
        Path directory = Path.of(arguments[0]);
        LogOptions log = LogOptions.defaults().withLargestSegmentBytes(SEGMENT_BYTES);
        LarderQueue queue = LarderQueue.open(directory.resolve("queue"), log);
        Appender appender = queue.appender();
        Tailer tailer = queue.tailer();
        LarderMap<String, byte[]> map = LarderMap.open(
                directory.resolve("map"),
                ValueCodec.texts(),
                ValueCodec.bytes(),
                MapOptions.defaults().withLog(log));
        for (int i = 0; i < Opened.count; i++) {
            appender.append(MESSAGE);
            map.put("key" + i % 10, MESSAGE);
        }
        appender.append("text");
        while (tailer.poll((segment, offset, length) -> {})) {
            tailer.position();
        }
        queue.sync();
        call(map);
        System.out.println("DONE");
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    private static void call(LarderMap<String, byte[]> map) {
        map.set("other", MESSAGE);
        map.set("short", MESSAGE, Duration.ofDays(1));
        map.get("other");
        map.putIfAbsent("absent", MESSAGE);
        map.replace("absent", MESSAGE);
        map.compute("absent", (key, value) -> value);
        map.merge("absent", MESSAGE, (one, two) -> two);
        for (Iterator<String> keys = map.keySet().iterator(); keys.hasNext(); ) {
            keys.next();
        }
        map.remove("absent");
        if (map.containsKey("absent") || map.size() == 0) {
            throw new IllegalStateException("there is a key that was removed, or none");
        }
        map.sync();
    }
}
