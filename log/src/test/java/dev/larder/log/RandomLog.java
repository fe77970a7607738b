package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.memory.Crc32c;
import dev.larder.memory.Storage;
import dev.larder.memory.doubles.DelegatingStorage;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A log filled from a seed: several segments, batches, claims that were given up, empty records and large ones. */
public final class RandomLog {

    /** A record as reading forward finds it: the plain list that everything else is compared with. */
    record Found(long position, int length, int crc) {}

    /** A clock that a test sets, and that advances by a millisecond at each query. */
    public static final class Clock extends DelegatingStorage {
        private long millis = 1_767_225_600_000L;

        public Clock(Storage storage) {
            super(storage);
        }

        @Override
        public synchronized long currentTimeMillis() {
            return millis++;
        }

        public synchronized void jump(long by) {
            millis += by;
        }
    }

    private final SplittableRandom random;

    RandomLog(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** Appends in all the ways there are until the log has entered a segment. */
    void fillUpTo(LogAppender appender, int segment) {
        while (Position.segment(step(appender)) < segment) {
            // until there
        }
    }

    private long step(LogAppender appender) {
        return switch (random.nextInt(12)) {
            case 0 -> appender.append(new byte[0]);
            case 1 -> giveUp(appender);
            case 2, 3 -> batch(appender, 1 + random.nextInt(200), 300);
            case 4 -> batch(appender, 1 + random.nextInt(5), 60_000);
            case 5 -> appender.append(new byte[random.nextInt(450_000)]);
            default -> appender.append(TestLogs.bytes(random.nextInt(3000), random.nextInt()));
        };
    }

    private long batch(LogAppender appender, int records, int lengthMax) {
        try (RecordBatch batch = appender.batch()) {
            for (int i = 0; i < records; i++) {
                batch.add(TestLogs.bytes(random.nextInt(lengthMax), i));
            }
            return batch.flush();
        }
    }

    private long giveUp(LogAppender appender) {
        assertThatThrownBy(() -> appender.append(random.nextInt(40_000), (segment, offset, length) -> {
                    throw new IllegalStateException("given up");
                }))
                .hasMessage("given up");
        return appender.append(new byte[1]);
    }

    /** Returns the records that reading forward delivers, from the first one on. */
    static List<Found> read(Log log) {
        List<Found> found = new ArrayList<>();
        try (LogReader reader = log.reader()) {
            int delivered = 1;
            while (delivered > 0) {
                delivered = reader.drain(
                        (segment, offset, length) ->
                                found.add(new Found(reader.position(), length, Crc32c.of(segment, offset, length))),
                        1000);
            }
        }
        return found;
    }
}
