package dev.larder.tests.shutdown;

import dev.larder.log.IntegrityMode;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import java.nio.file.Path;

/**
 * Appends numbered messages to a queue, and prints up to which number they are acknowledged: after each sync or, as a control,
 * without any. Arguments: directory, integrity mode, {@code sync} or {@code none}.
 */
public final class AcknowledgingWriter {

    private static final int MESSAGES_A_SYNC = 16;
    private static final int LENGTH = 1000;

    private AcknowledgingWriter() {}

    /** Runs until it is killed, or the file system is gone. */
    public static void main(String[] arguments) {
        boolean syncing = arguments[2].equals("sync");
        LogOptions options = LogOptions.defaults()
                .withIntegrity(IntegrityMode.valueOf(arguments[1]))
                .withLargestSegmentBytes(4L << 20)
                .withDurability(durability -> durability.withEarlyWriteback(syncing))
                .withSync(SyncPolicy.none());
        LarderQueue queue = LarderQueue.open(Path.of(arguments[0]), options);
        Appender appender = queue.appender();
        for (long number = 0; ; number++) {
            appender.append(message(number));
            if (number % MESSAGES_A_SYNC == MESSAGES_A_SYNC - 1) {
                if (syncing) {
                    queue.sync();
                }
                System.out.println(number + 1);
            }
        }
    }

    /** Returns a message whose bytes follow from its number. */
    public static byte[] message(long number) {
        byte[] bytes = new byte[LENGTH];
        new java.util.SplittableRandom(number).nextBytes(bytes);
        return bytes;
    }
}
