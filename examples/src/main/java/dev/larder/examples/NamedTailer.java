package dev.larder.examples;

import dev.larder.queue.Appender;
import dev.larder.queue.Commit;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import java.nio.file.Path;

/** A named tailer continues where the last tailer of that name stopped, in any process. */
public final class NamedTailer {

    private static final String NAME = "bills";

    private NamedTailer() {}

    public static void main(String[] arguments) {
        Path directory = Path.of(arguments[0]);
        append(directory, 10);
        int first = handle(directory, 6, true);
        int lost = handle(directory, 2, false); // ends before a commit: these two come again
        int rest = handle(directory, 100, true);
        System.out.println("handled " + first + ", then " + lost + " in vain, then " + rest);
        if (first != 6 || lost != 2 || rest != 4) {
            throw new IllegalStateException("handled " + first + ", " + lost + " and " + rest);
        }
    }

    private static void append(Path directory, int messages) {
        try (LarderQueue queue = LarderQueue.open(directory);
                Appender appender = queue.appender()) {
            for (int message = 0; message < messages; message++) {
                appender.append("order " + message);
            }
        }
    }

    /** Performs one run of a service; returns how many messages it has handled. */
    private static int handle(Path directory, int limit, boolean commits) {
        try (LarderQueue queue = LarderQueue.open(directory);
                Tailer tailer = queue.tailer(NAME, Commit.EXPLICIT)) {
            int handled = tailer.drain((segment, offset, length) -> {}, limit);
            if (commits) {
                tailer.commit(); // at least once: only now do they count as handled
            }
            return handled;
        }
    }
}
