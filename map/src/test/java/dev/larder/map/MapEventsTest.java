package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.map.format.CheckpointLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The events that the map sends to the flight recorder. */
@Tag("any-storage")
final class MapEventsTest {

    private static final int KEYS = 30_000;

    /** More keys than the first pages of an index hold. */
    private static final int MANY_KEYS = 600_000;

    @TempDir
    Path directory;

    private Map<String, List<RecordedEvent>> events(Runnable work) throws IOException {
        Path file = directory.resolve("events.jfr");
        try (Recording recording = new Recording()) {
            List.of("MapCleaning", "MapCheckpoint", "MapRebuild", "MapReplay", "MapSnapshot", "MapSpaceWait")
                    .forEach(name -> recording.enable("dev.larder." + name).withoutThreshold());
            recording.start();
            work.run();
            recording.stop();
            recording.dump(file);
        }
        return RecordingFile.readAllEvents(file).stream()
                .collect(Collectors.groupingBy(event -> event.getEventType().getName()));
    }

    private void fillCleanAndCopy() {
        try (LarderMap<Long, byte[]> map = TestMaps.bytes(directory.resolve("map"))) {
            for (int round = 0; round < 3; round++) {
                for (long key = 0; key < KEYS; key++) {
                    map.set(key, new byte[100]);
                }
            }
            map.compact();
            map.load(LongStream.range(0, MANY_KEYS)
                    .mapToObj(key -> Map.entry(key, new byte[0]))
                    .iterator());
            map.snapshot().close();
            map.checkpoint();
        }
    }

    private void fillAndOpenWithoutAnImage() {
        try (LarderMap<Long, byte[]> map = TestMaps.bytes(directory.resolve("map"))) {
            map.load(LongStream.range(0, MANY_KEYS)
                    .mapToObj(key -> Map.entry(key, new byte[10]))
                    .iterator());
        }
        TestMaps.storage().delete(directory.resolve("map").resolve(CheckpointLayout.FILE_NAME));
        TestMaps.bytes(directory.resolve("map")).close();
    }

    @Test
    void shouldTellOfWhatWasReadAgain() throws IOException {
        List<RecordedEvent> replays = events(this::fillAndOpenWithoutAnImage).get("dev.larder.MapReplay");
        assertThat(replays).hasSize(2);
        RecordedEvent first = replays.getFirst();
        assertThat(first.getLong("records")).isZero();
        assertThat(first.getInt("threads")).isEqualTo(1);
        RecordedEvent second = replays.getLast();
        assertThat(second.getString("map")).endsWith("map");
        assertThat(second.getLong("records")).isEqualTo(MANY_KEYS);
        assertThat(second.getInt("segments")).isGreaterThan(2);
        assertThat(second.getInt("threads")).isEqualTo(Math.min(second.getInt("segments"), threads()));
    }

    private static int threads() {
        return Math.min(8, Runtime.getRuntime().availableProcessors());
    }

    @Test
    void shouldTellOfCleaningGrowthImagesAndSnapshots() throws IOException {
        Map<String, List<RecordedEvent>> events = events(this::fillCleanAndCopy);
        assertThat(events.get("dev.larder.MapCleaning")).isNotEmpty().allSatisfy(event -> {
            assertThat(event.getString("map")).endsWith("map");
            assertThat(event.getLong("bytes")).isPositive();
            assertThat(event.getDuration()).isPositive();
        });
        assertThat(events.get("dev.larder.MapRebuild"))
                .anySatisfy(event -> assertThat(event.getBoolean("split")).isTrue());
        assertThat(events.get("dev.larder.MapCheckpoint"))
                .as("one that was asked for; nothing came since")
                .hasSize(1)
                .allSatisfy(event -> assertThat(event.getLong("bytes")).isGreaterThan(64L << 16));
        assertThat(events.get("dev.larder.MapSnapshot"))
                .singleElement()
                .satisfies(event -> assertThat(event.getLong("entries")).isEqualTo(MANY_KEYS));
    }
}
