package dev.larder.examples;

import dev.larder.log.IntegrityMode;
import dev.larder.log.LogOptions;
import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.QueueRepair;
import dev.larder.queue.RepairReport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Repairs a queue in which a bad disk has changed a byte. The check of each message finds the damage, and a repair copies all
 * others.
 */
public final class RepairDamage {

    private static final int MESSAGES = 1000;

    private RepairDamage() {}

    public static void main(String[] arguments) throws IOException {
        Path damaged = Path.of(arguments[0], "damaged");
        Path repaired = Path.of(arguments[0], "repaired");
        LogOptions options = LogOptions.defaults().withIntegrity(IntegrityMode.RECORD);
        damage(damaged, write(damaged, options));
        try (LarderQueue queue = LarderQueue.open(damaged, options)) {
            System.out.println("found: " + queue.verify().problems());
        }
        RepairReport report = QueueRepair.repair(damaged, repaired, options);
        System.out.println("copied " + report.messages() + ", lost: " + report.problems());
        try (LarderQueue queue = LarderQueue.open(repaired, options)) {
            boolean whole = queue.verify().problems().isEmpty();
            if (!whole || report.isSound() || report.messages() != MESSAGES - 1) {
                throw new IllegalStateException("copied " + report.messages() + ", sound afterwards: " + whole);
            }
        }
    }

    /** Returns the position of a message in the middle. */
    private static long write(Path directory, LogOptions options) {
        long middle = 0;
        try (LarderQueue queue = LarderQueue.open(directory, options);
                Appender appender = queue.appender()) {
            for (int message = 0; message < MESSAGES; message++) {
                long position = appender.append("message " + message);
                middle = message == MESSAGES / 2 ? position : middle;
            }
        }
        return middle;
    }

    /**
     * Changes a byte of a message. A position is a segment number and an offset; the message follows its 8-byte record word.
     */
    private static void damage(Path directory, long position) throws IOException {
        Path segment = directory.resolve(String.format(java.util.Locale.ROOT, "%010d.seg", position >>> 32));
        try (FileChannel file = FileChannel.open(segment, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(new byte[] {'M'}), (position & 0xffff_ffffL) + 8);
        }
    }
}
