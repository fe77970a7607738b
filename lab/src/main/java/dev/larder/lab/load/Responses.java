package dev.larder.lab.load;

import dev.larder.queue.LarderQueue;
import dev.larder.queue.MessageHandler;
import dev.larder.queue.Tailer;
import java.nio.file.Path;

/** Reads the responses that a load has left, any number of them, as often as needed. */
public final class Responses {

    private static final int DRAIN_MAX = 1024;

    private Responses() {}

    /** Hands each {@link Response} of a directory to a handler, in the order of the answers. */
    public static void read(Path directory, MessageHandler handler) {
        try (LarderQueue queue = LarderQueue.open(directory);
                Tailer tailer = queue.tailer()) {
            while (tailer.drain(handler, DRAIN_MAX) > 0) {
                // the handler does all
            }
        }
    }
}
