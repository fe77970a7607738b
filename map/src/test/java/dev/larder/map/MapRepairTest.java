package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.codec.ValueCodec;
import dev.larder.log.IntegrityMode;
import dev.larder.log.LogOptions;
import dev.larder.map.format.CheckpointLayout;
import dev.larder.map.shared.MapFile;
import dev.larder.memory.LarderException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A new map made of the sound parts of a damaged one. */
final class MapRepairTest {

    private static final int KEYS = 500;
    private static final int CHANGES = 4000;
    private static final int FLIPS = 12;

    @TempDir
    Path directory;

    private final Map<Long, String> newest = new HashMap<>();
    private final Map<Long, Set<String>> ever = new HashMap<>();

    private Path damaged() {
        return directory.resolve("damaged");
    }

    private static LogOptions options() {
        return TestMaps.options().withIntegrity(IntegrityMode.RECORD);
    }

    private static LarderMap<Long, String> open(Path path) {
        return LarderMap.open(path, ValueCodec.longs(), ValueCodec.texts(), options());
    }

    private void churn(Random random) {
        try (LarderMap<Long, String> map = open(damaged())) {
            for (int i = 0; i < CHANGES; i++) {
                long key = random.nextInt(KEYS);
                if (random.nextInt(5) == 0) {
                    map.remove(key);
                    newest.remove(key);
                } else {
                    String value = key + " at " + i + "x".repeat(random.nextInt(200));
                    map.set(key, value);
                    newest.put(key, value);
                    ever.computeIfAbsent(key, any -> new HashSet<>()).add(value);
                }
            }
        }
    }

    private MapRepairReport repair() {
        return MapRepair.repair(damaged(), directory.resolve("target"), options());
    }

    @Test
    void shouldMakeTheSameMapOfASoundOne() {
        churn(new Random(1));
        MapRepairReport report = repair();
        assertThat(report.isSound()).as(report.problems().toString()).isTrue();
        assertThat(report.records()).isGreaterThan(newest.size());
        assertThat(report.entries()).isEqualTo(newest.size());
        try (LarderMap<Long, String> repaired = open(directory.resolve("target"))) {
            assertThat(repaired).isEqualTo(newest);
        }
    }

    @Test
    void shouldNeverBringWhatWasNotWritten() throws IOException {
        Random random = new Random(2);
        churn(random);
        Path segment = damaged().resolve("0000000000.seg");
        for (int i = 0; i < FLIPS; i++) {
            FlippedBit.in(segment, 4096 + random.nextInt((int) Files.size(segment) / 4));
        }
        Files.delete(damaged().resolve(MapFile.FILE_NAME));
        Files.delete(damaged().resolve(CheckpointLayout.FILE_NAME));
        assertThatThrownBy(this::repair)
                .isInstanceOf(LarderException.class)
                .hasMessageContaining("cannot read the names of the map's codecs")
                .hasMessageContaining(MapFile.FILE_NAME);
        MapTypes types = new MapTypes("long", "text");
        MapRepairReport report = MapRepair.repair(damaged(), directory.resolve("target"), types, options());
        assertThat(report.problems()).isNotEmpty();
        int others = 0;
        try (LarderMap<Long, String> repaired = open(directory.resolve("target"))) {
            for (long key = 0; key < KEYS; key++) {
                String found = repaired.get(key);
                Set<String> written = ever.getOrDefault(key, Set.of());
                assertThat(found == null || written.contains(found))
                        .as("key %s: %s", key, found)
                        .isTrue();
                others += Objects.equals(found, newest.get(key)) ? 0 : 1;
            }
        }
        assertThat(others)
                .as("keys whose newest record was damaged")
                .isLessThanOrEqualTo(report.problems().size());
    }

    @Test
    void shouldKeepLifetimes() {
        try (LarderMap<Long, String> map = open(damaged())) {
            map.set(1L, "for long", Duration.ofDays(1));
            map.set(2L, "not for long", Duration.ofMillis(1));
            await().until(() -> !map.containsKey(2L));
        }
        repair();
        try (LarderMap<Long, String> repaired = open(directory.resolve("target"))) {
            assertThat(repaired.get(1L)).isEqualTo("for long");
            assertThat(repaired.containsKey(2L)).isFalse();
            assertThat(repaired.longSize()).as("its record went along").isEqualTo(2);
        }
    }

    @Test
    void shouldRefuseATargetThatIsNotEmpty() {
        churn(new Random(3));
        assertThatThrownBy(() -> MapRepair.repair(damaged(), damaged(), TestMaps.options()))
                .isInstanceOf(LarderException.class)
                .hasMessageContaining("is not empty");
    }
}
