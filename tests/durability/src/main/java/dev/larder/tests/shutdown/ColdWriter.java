package dev.larder.tests.shutdown;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.map.LarderMap;
import dev.larder.memory.LarderException;
import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Writes a little to a queue or a map, and continues after the file system was shut down. Arguments: directory, {@code queue}
 * or {@code map}. It prints {@code synced}, waits for a byte on standard input, and prints {@code ended} at its end.
 */
public final class ColdWriter {

    private static final int WRITES = 3;

    private ColdWriter() {}

    /** Runs the program. */
    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[0]);
        if (arguments[1].equals("queue")) {
            writeQueue(directory);
        } else {
            writeMap(directory);
        }
        System.out.println("ended");
        System.out.flush();
        Runtime.getRuntime().halt(0); // another test covers the work at an exit
    }

    private static void writeQueue(Path directory) throws IOException {
        LarderQueue queue = LarderQueue.open(directory, LogOptions.defaults());
        Appender appender = queue.appender();
        for (int i = 0; i < WRITES; i++) {
            appender.append("before " + i);
        }
        queue.sync();
        await();
        tell("append", () -> appender.append("after"));
        tell("sync", queue::sync);
        tell("close", queue::close);
    }

    private static void writeMap(Path directory) throws IOException {
        LarderMap<String, String> map = LarderMap.open(directory, ValueCodec.texts(), ValueCodec.texts());
        for (int i = 0; i < WRITES; i++) {
            map.put("before " + i, "value");
        }
        map.sync();
        await();
        tell("put", () -> map.put("after", "value"));
        tell("sync", map::sync);
        tell("close", map::close);
    }

    private static void await() throws IOException {
        System.out.println("synced");
        System.out.flush();
        System.in.read();
    }

    private static void tell(String what, Runnable call) {
        try {
            call.run();
            System.out.println(what + " returned");
        } catch (LarderException e) {
            System.out.println(what + " threw " + e.getClass().getSimpleName());
        }
    }
}
