package dev.larder.tests.processes;

import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.SystemStorage;
import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A process that appends messages without a sync, prints the position of the last, and waits for its kill: directory, storage.
 */
public final class Leaver {

    private static final int MESSAGES = 1000;

    private Leaver() {}

    /** Runs the program. */
    public static void main(String[] args) throws IOException {
        try (LarderQueue queue = LarderQueue.open(Path.of(args[0]), options(args[1], SyncPolicy.none()));
                Appender appender = queue.appender()) {
            long last = -1;
            for (int i = 0; i < MESSAGES; i++) {
                last = appender.append(new byte[MESSAGES]);
            }
            System.out.println(last);
            System.in.read();
        }
    }

    /** Returns the options of this queue. */
    public static LogOptions options(String storage, SyncPolicy sync) {
        return HookedOptions.withStorage(
                        LogOptions.defaults(),
                        storage.equals("system") ? SystemStorage.system() : SystemStorage.portable())
                .withSync(sync);
    }
}
