package dev.larder.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.log.layer.Failpoints;
import dev.larder.map.LarderMap;
import dev.larder.memory.SystemStorage;
import dev.larder.tests.support.Effort;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that puts many keys at a time is killed, beside a process that lives on. Nothing that has returned is lost. The
 * live process links the records of the unfinished batch that are in the log, so its map agrees with the log.
 */
@Tag(Effort.LONG)
@Timeout(300)
final class MapBatchKillTest {

    private static final long SECONDS = 60;

    /**
     * When the process dies: at any moment, or between the append of a batch and its first link, in the first lap or a later
     * one.
     */
    private static final List<String> DEATHS = List.of("none", "wait:map.batched:1", "wait:map.batched:40");

    @TempDir
    Path directory;

    private final Map<Long, Long> expected = new HashMap<>();

    @Test
    void losesNoBatchOfAProcessThatIsKilled() throws Exception {
        assumeTrue(
                System.getProperty("larder.test.storage", "system").equals("system"),
                "with native calls: other processes see who has died by the locks of the system");
        for (int round = 0; round < DEATHS.size(); round++) {
            try (LarderMap<Long, Long> living = open()) {
                assertThat(living).isEqualTo(expected);
                killOne(living, round);
                expected.clear();
                expected.putAll(living);
            }
            Files.delete(directory.resolve("map/map.checkpoint"));
            try (LarderMap<Long, Long> replayed = open()) {
                assertThat(replayed.equals(expected))
                        .as("round %s: the map of the process that lived on is what the log says", round)
                        .isTrue();
            }
        }
    }

    private LarderMap<Long, Long> open() {
        return MapWriter.open(directory.resolve("map"), SystemStorage.system(), Failpoints.NONE);
    }

    private void killOne(LarderMap<Long, Long> living, int round) {
        Path file = directory.resolve("progress" + round);
        MemorySegment progress = MapWriter.progress(file);
        String plan = DEATHS.get(round);
        try (ChildProcess writer = ChildProcess.start(
                MapBatchWriter.class,
                directory.resolve("errors"),
                List.of(),
                directory.resolve("map").toString(),
                file.toString(),
                String.valueOf(round),
                plan)) {
            if (plan.equals("none")) {
                Awaitility.await()
                        .atMost(Duration.ofSeconds(SECONDS))
                        .until(() -> !writer.isAlive()
                                || (laps(progress, MapBatchWriter.LOADER) > 1
                                        && laps(progress, MapBatchWriter.PUTTER) > 1));
            } else {
                writer.expect("AT map.batched", SECONDS);
            }
            assertThat(writer.isAlive())
                    .as(plan + "; " + writer.standardError())
                    .isTrue();
            writer.kill();
            writer.exitCode(SECONDS);
        }
        check(living, round, MapBatchWriter.PUTTER, MapBatchWriter.PUT_KEYS, laps(progress, MapBatchWriter.PUTTER));
        long loaded = laps(progress, MapBatchWriter.LOADER);
        check(living, round, MapBatchWriter.LOADER, MapBatchWriter.LOADED_KEYS, loaded);
        long key = MapWriter.key(round, MapBatchWriter.LOADER, 0);
        boolean wasThere = living.remove(key) != null;
        living.compact();
        assertThat(wasThere && living.containsKey(key))
                .as("round %s: a removed entry", round)
                .isFalse();
        if (wasThere) {
            living.put(key, loaded);
        }
        long later = check(living, round, MapBatchWriter.LOADER, MapBatchWriter.LOADED_KEYS, loaded);
        if (!plan.equals("none")) {
            assertThat(later).as("keys of the batch that nobody had linked").isPositive();
        }
    }

    private static long laps(MemorySegment progress, int thread) {
        return (long) ValueLayout.JAVA_LONG.varHandle().getVolatile(progress, thread * 8L);
    }

    /** Checks that each key has the last lap that has returned, or the next one; returns how many have the next one. */
    private static long check(LarderMap<Long, Long> map, int round, int thread, int keys, long lap) {
        long later = 0;
        for (int key = 0; key < keys; key++) {
            Long found = map.get(MapWriter.key(round, thread, key));
            long value = found == null ? 0 : found;
            assertThat(value)
                    .as("round %s, thread %s, key %s", round, thread, key)
                    .isBetween(lap, lap + 1);
            later += value - lap;
        }
        return later;
    }
}
