package dev.larder.examples;

import dev.larder.codec.Codec;
import dev.larder.log.FellBehindException;
import dev.larder.log.LogOptions;
import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import dev.larder.queue.TypedTailer;
import java.nio.file.Path;

/** A queue with a size limit drops its oldest messages. A tailer that has not read them yet gets an exception. */
public final class KeepWhatFits {

    private static final String FILLING = " ".repeat(1000);

    private long read;
    private long missed;
    private long expected;

    private KeepWhatFits() {}

    public static void main(String[] arguments) {
        LogOptions options = LogOptions.defaults()
                .withLargestSegmentBytes(2L << 20) // whole segments are dropped, so a limit of 8 MiB needs small ones
                .withRetention(retention -> retention.withBytes(8L << 20));
        KeepWhatFits slow = new KeepWhatFits();
        try (LarderQueue queue = LarderQueue.open(Path.of(arguments[0]), options);
                Tailer tailer = queue.tailer()) {
            long appended = append(queue, tailer);
            slow.read(tailer, queue.typed(tailer, Codec.texts()), appended);
            System.out.println("read " + slow.read + " of " + appended + ", missed " + slow.missed);
            if (slow.missed == 0 || slow.read + slow.missed != appended) {
                throw new IllegalStateException("read " + slow.read + " of " + appended + ", missed " + slow.missed);
            }
        }
    }

    /** Appends until the queue has dropped messages that the tailer has not read. Returns how many were appended. */
    private static long append(LarderQueue queue, Tailer tailer) {
        long number = 0;
        try (Appender appender = queue.appender()) {
            while (queue.info().firstPosition() <= tailer.position()) {
                for (int message = 0; message < 1000; message++) {
                    appender.append(number++ + FILLING);
                }
            }
        }
        return number;
    }

    private void read(Tailer tailer, TypedTailer<String> messages, long appended) {
        while (expected < appended) {
            try {
                messages.drain(this::handle, 1000);
            } catch (FellBehindException e) {
                System.out.println("at " + e.position() + ", and the queue begins at " + e.firstPosition());
                tailer.toStart(); // the tailer stays at its position until it is moved
            }
        }
    }

    private void handle(String message) {
        long number = Long.parseLong(message.strip());
        missed += number - expected;
        expected = number + 1;
        read++;
    }
}
