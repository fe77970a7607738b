package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.ValueCodec;
import dev.larder.log.Log;
import dev.larder.log.LogOptions;
import dev.larder.map.format.CheckpointLayout;
import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.format.IndexWord;
import dev.larder.memory.ForeignFileException;
import dev.larder.memory.Words;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A map that is inspected and checked in its files. */
class StoredMapTest {

    @TempDir
    Path directory;

    private void fill(int from, int to) {
        try (LarderMap<Long, String> map = LarderMap.open(directory, ValueCodec.longs(), ValueCodec.texts())) {
            for (long key = from; key < to; key++) {
                map.put(key, "value " + key);
            }
        }
    }

    private StoredMapInfo info() {
        try (StoredMap stored = StoredMap.open(directory, LogOptions.defaults())) {
            return stored.info();
        }
    }

    private MapVerifyReport verify() {
        try (StoredMap stored = StoredMap.open(directory, LogOptions.defaults())) {
            return stored.verify();
        }
    }

    @Test
    void knowsWhatWasThereWhenTheMapWasClosed() {
        fill(0, 2_000);
        StoredMapInfo info = info();
        assertThat(info.entries()).hasValue(2_000);
        assertThat(info.sinceCheckpointBytes()).isZero();
        assertThat(info.checkpointPosition()).isEqualTo(info.log().endPosition());
        assertThat(StoredMap.isIn(directory)).isTrue();
    }

    @Test
    void findsNothingWrongWhateverWasOverwrittenAndRemoved() {
        fill(0, 2_000);
        try (LarderMap<Long, String> map = LarderMap.open(directory, ValueCodec.longs(), ValueCodec.texts())) {
            for (long key = 0; key < 1_000; key += 2) {
                map.remove(key);
                map.put(key + 1, "another");
            }
            map.checkpoint();
            map.put(3_000L, "later");
        }
        MapVerifyReport report = verify();
        assertThat(report.problems()).isEmpty();
        assertThat(report.isSound()).isTrue();
        assertThat(report.entries()).isEqualTo(1_501);
        assertThat(report.removals()).isEqualTo(500);
        assertThat(report.comparedRecords()).isEqualTo(3_001);
        assertThat(report.liveBytes())
                .isGreaterThan(1_501L * (8 + 4 + 8))
                .isLessThan(report.log().endPosition());
    }

    @Test
    void needsNoCheckpoint() throws IOException {
        fill(0, 100);
        Files.delete(directory.resolve(CheckpointLayout.FILE_NAME));
        assertThat(info().entries()).isEmpty();
        assertThat(info().sinceCheckpointBytes()).isPositive();
        assertThat(verify().problems()).isEmpty();
        assertThat(verify().comparedRecords()).isZero();
    }

    @Test
    void refusesALogThatIsNoMap() {
        Log.open(directory).close();
        assertThatThrownBy(() -> StoredMap.open(directory, LogOptions.defaults()))
                .isInstanceOf(ForeignFileException.class)
                .hasMessageContaining("map.ctl");
    }

    @Test
    void noticesAWordThatLeadsToAnotherRecord() throws IOException {
        fill(0, 100);
        changeFirstWord(word -> word + 1);
        assertThat(verify().problems())
                .anyMatch(problem -> problem.contains("1 of 100 words point to no record with their hash"));
    }

    @Test
    void noticesAWordThatSaysRemoval() throws IOException {
        fill(0, 100);
        changeFirstWord(word -> word | IndexWord.REMOVAL);
        assertThat(verify().problems())
                .singleElement()
                .asString()
                .contains("is a value, but the checkpoint has a removal");
    }

    @Test
    void noticesAWordThatIsGone() throws IOException {
        fill(0, 100);
        changeFirstWord(word -> IndexWord.EMPTY);
        assertThat(verify().problems())
                .anyMatch(problem ->
                        problem.contains("0000000000.seg") && problem.contains("is missing from the checkpoint"));
    }

    /** Changes a word of the checkpoint and the check of its page, as a bug would, and no disk. */
    private void changeFirstWord(java.util.function.LongUnaryOperator change) throws IOException {
        Path path = directory.resolve(CheckpointLayout.FILE_NAME);
        ByteBuffer image = ByteBuffer.wrap(Files.readAllBytes(path)).order(ByteOrder.LITTLE_ENDIAN);
        int base = (int) CheckpointLayout.STEPS_AT;
        while (image.getLong(base + (int) IndexPageLayout.ALIVE) == 0) {
            base += IndexPageLayout.BYTES;
        }
        int at = base + (int) IndexPageLayout.GROUPS_AT;
        while (image.getLong(at) == 0) {
            at += Long.BYTES;
        }
        image.putLong(at, change.applyAsLong(image.getLong(at)));
        MemorySegment copy = java.lang.foreign.Arena.ofAuto().allocate(image.capacity(), 8);
        copy.copyFrom(MemorySegment.ofArray(image.array()));
        image.putLong(
                base + (int) IndexPageLayout.CHECK,
                CheckpointLayout.stepCheck(
                        copy,
                        base,
                        copy.get(Words.LONG, CheckpointLayout.REPLAY),
                        copy.get(Words.LONG, CheckpointLayout.SALT)));
        Files.write(path, image.array());
    }
}
