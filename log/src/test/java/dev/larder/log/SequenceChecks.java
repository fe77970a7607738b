package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.RandomLog.Found;
import dev.larder.memory.Crc32c;
import java.util.List;
import java.util.SplittableRandom;

/** Sequences against the plain list that reading forward gives. */
final class SequenceChecks {

    private SequenceChecks() {}

    /** Moves to many records of a log by their sequence, and reads the sequence back in every way. */
    static void checkAll(Log log) {
        List<Found> all = RandomLog.read(log);
        try (LogReader reader = log.reader()) {
            SplittableRandom random = new SplittableRandom(all.size());
            for (int i = 0; i < 300; i++) {
                checkOne(reader, all, random.nextInt(all.size()));
            }
            checkOne(reader, all, 0);
            checkOne(reader, all, all.size() - 1);
            reader.moveToSequence(all.size());
            assertThat(reader.poll((segment, offset, length) -> {})).isFalse();
            assertThat(reader.sequence()).isEqualTo(all.size());
        }
    }

    private static void checkOne(LogReader reader, List<Found> all, int sequence) {
        Found expected = all.get(sequence);
        reader.moveToSequence(sequence);
        assertThat(reader.position()).isEqualTo(expected.position());
        assertThat(reader.sequence()).isEqualTo(sequence);
        assertThat(reader.poll((segment, offset, length) -> {
                    assertThat(length).isEqualTo(expected.length());
                    assertThat(Crc32c.of(segment, offset, length)).isEqualTo(expected.crc());
                    assertThat(reader.sequence()).isEqualTo(sequence);
                }))
                .isTrue();
        assertThat(reader.sequence()).isEqualTo(sequence + 1);
        reader.moveTo(expected.position());
        assertThat(reader.sequence()).isEqualTo(sequence);
    }
}
