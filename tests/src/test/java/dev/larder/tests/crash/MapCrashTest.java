package dev.larder.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.log.Steps;
import dev.larder.map.LarderMap;
import dev.larder.map.MapInUseException;
import dev.larder.memory.Storage;
import dev.larder.tests.crash.MapWriter.Change;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that changes a map is killed: what has returned is there, what was being made is there or not, and nothing
 * else. The kills come while the index grows and checkpoints are made. Full counts in the soak profile.
 */
@Timeout(3600)
final class MapCrashTest {

    private static final int ROUNDS = Boolean.getBoolean("larder.soak") ? 150 : 4;
    private static final List<String> STEPS =
            List.of("map.claimed", "map.filled", "map.linked", "map.committed", "append.claimed");
    private static final Duration LONG = Duration.ofMinutes(5);

    private final String storage =
            System.getProperty("larder.test.storage", "system").equals("system") ? "system" : "portable";

    @TempDir
    Path directory;

    @Test
    void losesNothingThatHasReturned() {
        long seed = Long.getLong("larder.seed", 20_261_122L);
        SplittableRandom random = new SplittableRandom(seed);
        long entries = 0;
        for (int round = 0; round < ROUNDS; round++) {
            long changes = random.nextLong(1000, 250_000);
            String plan = round % 2 == 0 ? "none" : STEPS.get(round / 2 % STEPS.size()) + ":" + changes;
            MemorySegment progress = MapWriter.progress(directory.resolve("progress" + round));
            run(round, plan, changes, progress);
            entries += check(round, progress, "seed " + seed + ", round " + round + ", " + plan);
            assertThat(count()).as("entries, seed %s, round %s", seed, round).isEqualTo(entries);
        }
    }

    /** Another process is refused by name, and let in when the first one has died. */
    @Test
    void isOpenInOneProcessAtATime() {
        MemorySegment progress = MapWriter.progress(directory.resolve("progress0"));
        try (ChildProcess child = start(0, "none")) {
            await().atMost(LONG).until(() -> done(progress, 0) > 0 || !child.isAlive());
            assertThatThrownBy(this::open)
                    .isInstanceOf(MapInUseException.class)
                    .hasMessageContaining("map.ctl: another process has the map open");
            long before = done(progress, 0);
            await().atMost(LONG).until(() -> done(progress, 0) > before || !child.isAlive());
            assertThat(child.isAlive()).isTrue();
        }
        assertThat(count()).isPositive();
    }

    private ChildProcess start(int round, String plan) {
        return ChildProcess.start(
                MapWriter.class,
                directory.resolve("errors"),
                List.of(),
                directory.resolve("map").toString(),
                directory.resolve("progress" + round).toString(),
                String.valueOf(round),
                storage,
                plan);
    }

    private void run(int round, String plan, long changes, MemorySegment progress) {
        try (ChildProcess child = start(round, plan)) {
            await().atMost(LONG).until(() -> !child.isAlive() || (plan.equals("none") && done(progress, 0) >= changes));
        }
        assertThat(done(progress, 0) + done(progress, 1))
                .as("changes that returned")
                .isPositive();
    }

    private static long done(MemorySegment progress, int thread) {
        return progress.getAtIndex(ValueLayout.JAVA_LONG, thread);
    }

    private LarderMap<Long, Long> open() {
        Storage place = storage.equals("system") ? Storage.system() : Storage.portable();
        return MapWriter.open(directory.resolve("map"), place, Steps.NONE);
    }

    private long count() {
        try (LarderMap<Long, Long> map = open()) {
            return map.longSize();
        }
    }

    /** Compares the keys of a round with what was changed; returns how many there are. */
    private long check(int round, MemorySegment progress, String what) {
        long entries = 0;
        try (LarderMap<Long, Long> map = open()) {
            for (int thread = 0; thread < MapWriter.THREADS; thread++) {
                entries += check(map, round, thread, done(progress, thread), what);
            }
        }
        return entries;
    }

    private static long check(LarderMap<Long, Long> map, int round, int thread, long done, String what) {
        long[] expected = new long[MapWriter.KEYS];
        for (long number = 0; number < done; number++) {
            Change change = Change.of(round, thread, number);
            expected[change.key()] = change.value();
        }
        Change underWay = Change.of(round, thread, done);
        long entries = 0;
        for (int key = 0; key < MapWriter.KEYS; key++) {
            long found = map.getOrDefault(MapWriter.key(round, thread, key), 0L);
            boolean asUnderWay = key == underWay.key() && found == underWay.value();
            if (found != expected[key] && !asUnderWay) {
                throw new AssertionError(what + ": key " + key + " of thread " + thread + " is " + found + ", expected "
                        + expected[key] + " after " + done + " changes");
            }
            entries += found == 0 ? 0 : 1;
        }
        return entries;
    }
}
