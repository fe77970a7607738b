package dev.larder.cli;

import dev.larder.queue.LarderQueue;
import java.io.IOException;
import java.nio.file.Path;

/** Holds a queue open, reports that, and ends when its input does. */
final class HoldingChild {

    private HoldingChild() {}

    public static void main(String[] arguments) throws IOException {
        try (LarderQueue queue = LarderQueue.open(Path.of(arguments[0]))) {
            queue.appender().append("held");
            System.out.println("READY");
            System.out.flush();
            while (System.in.read() >= 0) {
                assert queue != null;
            }
        }
    }
}
