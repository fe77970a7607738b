package dev.larder.tests.processes;

import dev.larder.log.BookmarkHeldException;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.Storage;
import dev.larder.memory.SystemStorage;
import dev.larder.queue.Commit;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.MessageHandler;
import dev.larder.queue.Tailer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A process that reads with a named tailer, until it is killed: {@code <storage> <directory> <commit> <batch>}. Its handler
 * prints each message, and waits for a byte after every 400, so that it cannot finish before it is killed. It prints
 * {@code DONE} after the message {@code last}. If another process holds the name, it prints which one.
 */
public final class NamedReader {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int UNASKED = 400;
    private static int said;

    private NamedReader() {}

    /** Runs the program. */
    public static void main(String[] args) throws InterruptedException {
        Storage files = args[0].equals("portable") ? SystemStorage.portable() : SystemStorage.system();
        Commit commit = Commit.valueOf(args[2]);
        int batch = Integer.parseInt(args[3]);
        try (LarderQueue queue =
                        LarderQueue.open(Path.of(args[1]), HookedOptions.withStorage(LogOptions.defaults(), files));
                Tailer tailer = queue.tailer("reader", commit)) {
            read(tailer, commit, batch);
        } catch (BookmarkHeldException e) {
            say("HELD " + e.getMessage());
        }
    }

    private static void read(Tailer tailer, Commit commit, int batch) throws InterruptedException {
        boolean[] last = new boolean[1];
        MessageHandler handler = (segment, offset, length) -> {
            String text = text(segment, offset, length);
            last[0] = text.equals("last");
            say(text);
            awaitLeave();
        };
        while (!last[0] && tailer.poll(handler, LONG)) {
            tailer.drain(handler, batch - 1);
            if (commit == Commit.EXPLICIT) {
                tailer.commit();
            }
        }
        say("DONE");
    }

    private static void awaitLeave() {
        try {
            if (++said % UNASKED == 0 && System.in.read() < 0) {
                throw new IllegalStateException("nobody is there any more");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(MemorySegment segment, long offset, int length) {
        byte[] bytes = segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}
