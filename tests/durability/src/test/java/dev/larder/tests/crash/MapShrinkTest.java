package dev.larder.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.log.layer.Failpoints;
import dev.larder.map.LarderMap;
import dev.larder.memory.Storage;
import dev.larder.memory.SystemStorage;
import dev.larder.tests.support.Effort;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Processes are killed while pages of the index merge, at each part of a merge. This process has the map open and continues, so
 * no process rebuilds the index. The processes follow each other on one map, each with its own keys.
 */
@Timeout(1800)
@Tag(Effort.LONG)
final class MapShrinkTest {

    private static final int ROUNDS = Boolean.getBoolean("larder.soak") ? 10 : 1;
    private static final long SECONDS = 300;

    private final String storage =
            System.getProperty("larder.test.storage", "system").equals("system") ? "system" : "portable";

    @TempDir
    Path directory;

    private static List<String> plans(int round) {
        List<String> plans = new ArrayList<>();
        for (String step : List.of("index.claimed", "index.built", "index.told", "index.merged")) {
            plans.add(step + ":" + (step.equals("index.built") ? 30 : 3) * round);
        }
        Collections.shuffle(plans, new Random(round));
        return plans;
    }

    static IntStream rounds() {
        return IntStream.rangeClosed(1, ROUNDS);
    }

    @ParameterizedTest
    @MethodSource("rounds")
    void losesNothing(int round) {
        assumeTrue(
                storage.equals("system") || Boolean.getBoolean("larder.soak"),
                "an index does the same on any storage: without native calls in the long run (-Psoak) only");
        Storage place = storage.equals("system") ? SystemStorage.system() : SystemStorage.portable();
        List<String> plans = plans(round);
        try (LarderMap<Long, Long> map = MapWriter.open(directory.resolve("map"), place, Failpoints.NONE)) {
            for (int number = 0; number < plans.size(); number++) {
                map.clear(); // keys of another process would keep pages apart
                runUntilDeath(number, plans.get(number));
                check(map, number, "after " + plans.get(number));
                map.compact();
                check(map, number, "compacted after " + plans.get(number));
            }
        }
    }

    private Path progressFile(int number) {
        return directory.resolve("progress" + number);
    }

    private void runUntilDeath(int number, String plan) {
        MapWriter.progress(progressFile(number));
        try (ChildProcess victim = ChildProcess.start(
                MapShrinker.class,
                directory.resolve("errors"),
                List.of(),
                directory.resolve("map").toString(),
                progressFile(number).toString(),
                String.valueOf(number),
                storage,
                plan)) {
            assertThat(victim.exitCode(SECONDS))
                    .as("%s; %s", plan, victim.standardError())
                    .isEqualTo(MapWriter.DIED_AT_STEP);
        }
    }

    /** Checks all keys; the change during which the process died may have been made, or not. */
    private void check(LarderMap<Long, Long> map, int number, String when) {
        MemorySegment progress = MapWriter.progress(progressFile(number));
        long changes = progress.getAtIndex(ValueLayout.JAVA_LONG, 0);
        for (int key = 0; key < MapShrinker.KEYS; key++) {
            long found = map.getOrDefault(MapShrinker.key(number, key), 0L);
            long expected = MapShrinker.valueAfter(changes, key);
            if (found != expected && found != MapShrinker.valueAfter(changes + 1, key)) {
                throw new AssertionError(when + ": key " + key + " of process " + number + " is " + found
                        + ", expected " + expected + " after " + changes + " changes");
            }
        }
    }
}
