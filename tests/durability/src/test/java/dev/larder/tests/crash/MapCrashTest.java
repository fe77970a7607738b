package dev.larder.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.log.LogBusyException;
import dev.larder.log.layer.Failpoints;
import dev.larder.map.LarderMap;
import dev.larder.memory.Storage;
import dev.larder.memory.SystemStorage;
import dev.larder.tests.crash.MapWriter.Change;
import dev.larder.tests.support.Effort;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that changes a map is killed. Changes that have returned are there, a change that was under way is there or not.
 * Nothing else is there: no removed entry, no older value. The kills come while the index grows, checkpoints are made, and the
 * log is cleaned. Full counts in the soak profile.
 */
@Tag(Effort.LONG)
@Timeout(3600)
final class MapCrashTest {

    private static final boolean SOAK = Boolean.getBoolean("larder.soak");
    private static final boolean PORTABLE =
            !System.getProperty("larder.test.storage", "system").equals("system");
    private static final int ROUNDS = PORTABLE ? Effort.of(1, 2, 150) : Effort.of(1, 4, 150);
    private static final List<String> STEPS =
            List.of("map.claimed", "map.filled", "map.linked", "map.committed", "append.claimed");

    /** The cleaner's steps: these come for each record, those below for each segment. */
    private static final List<String> RECORD_STEPS =
            List.of("clean.linked", "clean.forgotten", "clean.claimed", "clean.filled", "clean.committed");

    private static final List<String> SEGMENT_STEPS = List.of(
            "drop.moved",
            "clean.synced",
            "drop.durable",
            "clean.dropped",
            "drop.renamed",
            "clean.scanned",
            "drop.freed",
            "clean.freed");
    private static final List<String> CHECKPOINT_STEPS =
            List.of("checkpoint.forced", "checkpoint.renamed", "checkpoint.written");
    private static final int CLEANER_ROUNDS = PORTABLE ? Effort.of(1, 2, 160) : Effort.of(1, 4, 160);
    private static final int LOADER_ROUNDS = PORTABLE ? Effort.of(1, 1, 60) : Effort.of(1, 2, 60);
    private static final int CHECKPOINT_ROUNDS = PORTABLE ? Effort.of(1, 1, 30) : Effort.of(1, 3, 30);
    private static final Duration LONG = Duration.ofMinutes(5);

    private final String storage = PORTABLE ? "portable" : "system";

    @TempDir
    Path directory;

    @Test
    void losesNothingThatHasReturned() {
        kill(ROUNDS, (round, random) -> {
            long changes = random.nextLong(1000, 250_000);
            String plan = round % 2 == 0 ? "none" : STEPS.get(round / 2 % STEPS.size()) + ":" + changes;
            return new Plan(plan, changes);
        });
    }

    /** Kills at each step of the cleaner: at a record in the middle of a segment, and at one of the first segments. */
    @Test
    void losesNothingWhileItCleans() {
        kill(CLEANER_ROUNDS, (round, random) -> {
            boolean ofRecord = round % 3 == 0;
            List<String> steps = ofRecord ? RECORD_STEPS : SEGMENT_STEPS;
            String step = steps.get((ofRecord ? round / 3 : round - 1 - round / 3) % steps.size());
            int times = ofRecord ? random.nextInt(1, SOAK ? 20_000 : 4_000) : random.nextInt(1, 5);
            return new Plan(step + ":" + times, Long.MAX_VALUE);
        });
    }

    @Test
    void losesNothingWhileItMakesACheckpoint() {
        kill(CHECKPOINT_ROUNDS, (round, random) -> {
            String step = CHECKPOINT_STEPS.get(round % CHECKPOINT_STEPS.size());
            return new Plan(step + ":" + random.nextInt(1, 10), Long.MAX_VALUE);
        });
    }

    /** Kills between the commit of a batch and its links. */
    @Test
    void losesNothingThatWasLoaded() {
        kill(LOADER_ROUNDS, (round, random) -> new Plan("map.batched:" + random.nextInt(1, 60), Long.MAX_VALUE));
    }

    /** When a process is killed: at a step, or after this many changes. */
    private record Plan(String step, long changes) {}

    private void kill(int rounds, BiFunction<Integer, SplittableRandom, Plan> plans) {
        long seed = Long.getLong("larder.seed", 20_261_122L);
        SplittableRandom random = new SplittableRandom(seed);
        long[] entries = new long[rounds];
        for (int round = 0; round < rounds; round++) {
            Plan plan = plans.apply(round, random);
            run(round, plan, MapWriter.progress(file(round)));
            String what = "seed " + seed + ", round " + round + ", " + plan;
            try (LarderMap<Long, Long> map = open()) {
                entries[round] = check(map, round, what);
                int earlier = random.nextInt(round + 1); // its records were carried since
                assertThat(check(map, earlier, what))
                        .as("%s: of round %s", what, earlier)
                        .isEqualTo(entries[earlier]);
                assertThat(map.longSize())
                        .as("%s: entries", what)
                        .isEqualTo(LongStream.of(entries).sum());
            }
        }
        try (LarderMap<Long, Long> map = open()) {
            map.compact();
            for (int round = 0; round < rounds; round++) {
                check(map, round, "at the end, round " + round);
            }
        }
    }

    private Path file(int round) {
        return directory.resolve("progress" + round);
    }

    private ChildProcess start(int round, String plan) {
        return ChildProcess.start(
                MapWriter.class,
                directory.resolve("errors"),
                List.of(),
                directory.resolve("map").toString(),
                file(round).toString(),
                String.valueOf(round),
                storage,
                plan);
    }

    private void run(int round, Plan plan, MemorySegment progress) {
        boolean atStep = !plan.step().equals("none");
        try (ChildProcess child = start(round, plan.step())) {
            await().atMost(LONG).until(() -> !child.isAlive() || (!atStep && hasDone(progress, plan.changes())));
            if (atStep) {
                assertThat(child.exitCode(LONG.toSeconds()))
                        .as("%s; %s", plan, child.standardError())
                        .isEqualTo(MapWriter.DIED_AT_STEP);
            } else {
                assertThat(child.isAlive()).as("%s", child.standardError()).isTrue();
            }
            assertThat(child.standardError())
                    .as("no other process cleans")
                    .doesNotContain(LogBusyException.class.getSimpleName());
        }
    }

    /** Returns whether the first thread has made so many changes, and each other thread has done something. */
    private static boolean hasDone(MemorySegment progress, long changes) {
        return done(progress, 0) >= changes
                && IntStream.rangeClosed(1, MapWriter.THREADS).allMatch(thread -> done(progress, thread) > 0);
    }

    private static long done(MemorySegment progress, int thread) {
        return progress.getAtIndex(ValueLayout.JAVA_LONG, thread);
    }

    private LarderMap<Long, Long> open() {
        Storage place = storage.equals("system") ? SystemStorage.system() : SystemStorage.portable();
        return MapWriter.open(directory.resolve("map"), place, Failpoints.NONE);
    }

    /** Compares the keys of a round with its changes; returns how many there are. */
    private long check(LarderMap<Long, Long> map, int round, String what) {
        MemorySegment progress = MapWriter.progress(file(round));
        long entries = 0;
        for (int thread = 0; thread < MapWriter.THREADS; thread++) {
            entries += check(map, round, thread, done(progress, thread), what);
        }
        return entries + checkLoaded(map, round, done(progress, MapWriter.THREADS), what);
    }

    /** Checks that each key has the lap that has returned, or the one that was under way. */
    private static long checkLoaded(LarderMap<Long, Long> map, int round, long laps, String what) {
        long entries = 0;
        for (int key = 0; key < MapWriter.LOADED_KEYS; key++) {
            long found = map.getOrDefault(MapWriter.key(round, MapWriter.THREADS, key), 0L);
            assertThat(found).as("%s: key %s that was loaded", what, key).isBetween(laps, laps + 1);
            entries += found == 0 ? 0 : 1;
        }
        return entries;
    }

    private static long check(LarderMap<Long, Long> map, int round, int thread, long done, String what) {
        long[] expected = new long[MapWriter.keys(round)];
        for (long number = 0; number < done; number++) {
            Change change = Change.of(round, thread, number);
            expected[change.key()] = change.value();
        }
        Change underWay = Change.of(round, thread, done);
        long entries = 0;
        for (int key = 0; key < MapWriter.keys(round); key++) {
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
