package dev.larder.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogBusyException;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.layer.HookedOptions;
import dev.larder.map.LarderMap;
import dev.larder.map.MapOptions;
import dev.larder.map.MapProcess;
import dev.larder.map.StoredMap;
import dev.larder.memory.Storage;
import dev.larder.memory.SystemStorage;
import dev.larder.tests.crash.MapClerk.Note;
import dev.larder.tests.crash.MapWriter.Change;
import dev.larder.tests.support.Effort;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Several processes change one map at once. They are killed one after the other, at a named step or at random, while the others
 * continue. Nothing that has returned is lost, no removed entry comes back, no process is blocked. Full counts in the soak
 * profile.
 */
@Timeout(3600)
@Tag(Effort.LONG)
final class MapProcessesTest {

    private static final boolean SOAK = Boolean.getBoolean("larder.soak");
    private static final boolean PORTABLE =
            !System.getProperty("larder.test.storage", "system").equals("system");
    private static final int ROUNDS = SOAK ? 15 : 1;
    private static final int HISTORIES = SOAK ? 30 : 1;
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final long SECONDS = 300;
    private static final int KILLED = 137; // 128 and the number of SIGKILL
    private static final List<String> STEPS = List.of(
            "map.linked:20000",
            "clean.dropped:2",
            "index.decided:4",
            "none",
            "clean.linked:3000",
            "index.frozen:4",
            "map.claimed:15000",
            "index.built:5",
            "drop.renamed:2",
            "map.filled:9000",
            "index.flipped:6",
            "clean.synced:2",
            "drop.moved:1",
            "clean.freed:1",
            "map.committed:11000");

    private final String storage = PORTABLE ? "portable" : "system";

    @TempDir
    Path directory;

    @BeforeEach
    void requireTime() {
        boolean isNative = System.getProperty("larder.test.storage", "system").equals("system");
        assumeTrue(isNative || Boolean.getBoolean("larder.soak"), "without native calls in the long run (-Psoak) only");
    }

    private LarderMap<Long, Long> open() {
        Storage place = storage.equals("system") ? SystemStorage.system() : SystemStorage.portable();
        return MapWriter.open(directory.resolve("map"), place, Failpoints.NONE);
    }

    private ChildProcess start(Class<?> program, String name, int number, String plan) {
        return ChildProcess.start(
                program,
                directory.resolve("errors"),
                List.of(),
                directory.resolve("map").toString(),
                directory.resolve(name + number).toString(),
                String.valueOf(number),
                storage,
                plan);
    }

    private MemorySegment progress(int round) {
        return MapWriter.progress(directory.resolve("writer" + round));
    }

    private static long done(MemorySegment progress) {
        return progress.getAtIndex(ValueLayout.JAVA_LONG, 0) + progress.getAtIndex(ValueLayout.JAVA_LONG, 1);
    }

    private String errors() {
        try {
            Path file = directory.resolve("errors");
            return Files.exists(file) ? Files.readString(file) : "";
        } catch (IOException e) {
            return e.toString();
        }
    }

    /**
     * Each round has two processes: one is killed at a step, then the other one at random. This process has the map open
     * throughout.
     */
    @Test
    void losesNothingWhenOthersDie() {
        SplittableRandom random = new SplittableRandom(Long.getLong("larder.seed", 20_261_122L));
        try (LarderMap<Long, Long> map = open()) {
            for (int round = 0; round < ROUNDS; round++) {
                String plan = STEPS.get(round % STEPS.size());
                try (ChildProcess survivor = start(MapWriter.class, "writer", 2 * round + 1, "none");
                        ChildProcess victim = start(MapWriter.class, "writer", 2 * round, plan)) {
                    kill(2 * round, plan, victim, random);
                    check(map, 2 * round, plan);
                    requireProgress(survivor, 2 * round + 1, map, plan);
                }
                check(map, 2 * round + 1, "killed at random");
            }
            await().atMost(LONG).until(() -> map.info().processes().size() == 1);
        }
        checkAll();
    }

    private void kill(int round, String plan, ChildProcess victim, SplittableRandom random) {
        boolean atStep = !plan.equals("none");
        long changes = random.nextLong(1000, 60_000);
        await().atMost(LONG).until(() -> !victim.isAlive() || (!atStep && done(progress(round)) >= changes));
        if (atStep) {
            assertThat(victim.exitCode(SECONDS)).as("%s; %s", plan, errors()).isEqualTo(MapWriter.DIED_AT_STEP);
        } else {
            assertThat(victim.isAlive()).as("%s; %s", plan, errors()).isTrue();
            victim.close();
        }
    }

    /** Waits until the survivor has made changes, and makes some in this process. */
    private void requireProgress(ChildProcess survivor, int round, LarderMap<Long, Long> map, String what) {
        long before = done(progress(round));
        await().atMost(LONG).until(() -> !survivor.isAlive() || done(progress(round)) > before + 1000);
        assertThat(survivor.isAlive()).as("%s: %s", what, errors()).isTrue();
        map.put(-1L, before);
        assertThat(map.remove(-1L)).isEqualTo(before);
    }

    private void check(LarderMap<Long, Long> map, int round, String what) {
        for (int thread = 0; thread < MapWriter.THREADS; thread++) {
            long done = progress(round).getAtIndex(ValueLayout.JAVA_LONG, thread);
            check(map, round, thread, done, "round " + round + ", " + what);
        }
    }

    private static void check(LarderMap<Long, Long> map, int round, int thread, long done, String what) {
        Map<Integer, Long> expected = new HashMap<>();
        for (long number = 0; number < done; number++) {
            Change change = Change.of(round, thread, number);
            expected.put(change.key(), change.value());
        }
        Change underWay = Change.of(round, thread, done);
        for (int key = 0; key < MapWriter.keys(round); key++) {
            long found = map.getOrDefault(MapWriter.key(round, thread, key), 0L);
            boolean asUnderWay = key == underWay.key() && found == underWay.value();
            if (found != expected.getOrDefault(key, 0L) && !asUnderWay) {
                throw new AssertionError(what + ": key " + key + " of thread " + thread + " is " + found + ", expected "
                        + expected.getOrDefault(key, 0L) + " after " + done + " changes");
            }
        }
    }

    /** Checks all rounds, from the image that the last process has left, and from the log. */
    private void checkAll() {
        try (LarderMap<Long, Long> map = open()) {
            for (int round = 0; Files.exists(directory.resolve("writer" + round)); round++) {
                check(map, round, "opened again");
            }
            map.compact();
        }
        assertThat(directory.resolve("map").resolve("map.index")).doesNotExist();
    }

    /** All processes die: the next one does not believe the index that they shared. */
    @Test
    void beginsAnewWhenAllHaveDied() throws IOException {
        ChildProcess first = start(MapWriter.class, "writer", 0, "none");
        ChildProcess second = start(MapWriter.class, "writer", 1, "none");
        await().atMost(LONG).until(() -> done(progress(0)) > 20_000 && done(progress(1)) > 5_000);
        assertThat(pids()).containsExactlyInAnyOrder(first.pid(), second.pid());
        assertThat(first.isAlive() && second.isAlive()).as(errors()).isTrue();
        first.close();
        second.close();
        Path pointer = directory.resolve("map").resolve("map.index");
        assertThat(pointer).exists();
        byte[] left = Files.readAllBytes(pointer);
        if (storage.equals("system")) {
            assertThat(pids()).isEmpty();
        }
        try (LarderMap<Long, Long> map = open()) {
            check(map, 0, "all died");
            check(map, 1, "all died");
            assertThat(map.info().processes()).hasSize(1);
            assertThat(Files.readAllBytes(pointer)).isNotEqualTo(left);
        }
        try (Stream<Path> files = Files.list(directory.resolve("map"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .doesNotContain("map.index")
                    .noneMatch(name -> name.endsWith(".index"));
        }
    }

    private List<Long> pids() {
        Storage place = storage.equals("system") ? SystemStorage.system() : SystemStorage.portable();
        try (StoredMap stored =
                StoredMap.open(directory.resolve("map"), HookedOptions.withStorage(LogOptions.defaults(), place))) {
            return stored.info().processes().stream().map(MapProcess::pid).toList();
        }
    }

    /** A process is stopped in the middle of its work. The others notice only the space that it holds back. */
    @Test
    void goesOnWhenAnotherIsStopped() {
        try (LarderMap<Long, Long> map = open();
                ChildProcess stopped = start(MapWriter.class, "writer", 0, "none");
                ChildProcess other = start(MapWriter.class, "writer", 1, "none")) {
            await().atMost(LONG).until(() -> done(progress(0)) > 5_000 && done(progress(1)) > 5_000);
            stopped.signal("STOP");
            requireProgress(other, 1, map, "stopped");
            for (long key = -2; key > -20_000; key--) {
                map.put(key, key);
            }
            stopped.signal("CONT");
            requireProgress(stopped, 0, map, "goes on");
            other.kill();
            stopped.kill();
            other.exitCode(SECONDS);
            stopped.exitCode(SECONDS);
            check(map, 0, "was stopped");
            check(map, 1, "was not stopped");
        }
    }

    /** A caller that wants to clean learns that another process has been cleaning for too long; a put is not held up. */
    @Test
    void saysThatAnotherDoesNotEndCleaning() {
        try (LarderMap<Long, Long> map = open();
                ChildProcess cleaner = start(MapWriter.class, "writer", 0, "wait:clean.synced:2")) {
            cleaner.expect("AT clean.synced", SECONDS);
            for (long put = 0; put < 60_000; put++) {
                map.put(-2 - put % 20_000, put); // two of three records are dead
            }
            assertThatThrownBy(map::compact)
                    .isInstanceOf(LogBusyException.class)
                    .hasMessageContaining(
                            "another process has been cleaning the map for more than 10 s; is it stopped?");
            cleaner.kill();
            cleaner.exitCode(SECONDS);
            map.compact();
            check(map, 0, "did not end cleaning");
        }
    }

    /** The next process removes the temporary map of a killed process, and leaves the maps of others. */
    @Test
    void removesTheTemporaryMapOfADeadProcess() throws IOException {
        try (ChildProcess first = start(MapHolder.class, "held", 1, "none");
                ChildProcess second = start(MapHolder.class, "held", 2, "none")) {
            Path ofFirst = Path.of(first.line(SECONDS));
            Path ofSecond = Path.of(second.line(SECONDS));
            first.kill();
            first.exitCode(SECONDS);
            assertThat(ofFirst).isNotEmptyDirectory();
            Storage place = storage.equals("system") ? SystemStorage.system() : SystemStorage.portable();
            MapOptions options = MapOptions.defaults().withLog(HookedOptions.withStorage(LogOptions.defaults(), place));
            try (LarderMap<Long, Long> map =
                    LarderMap.temporary(directory, ValueCodec.longs(), ValueCodec.longs(), options)) {
                assertThat(map).isEmpty();
                assertThat(ofFirst).doesNotExist();
                assertThat(ofSecond).isNotEmptyDirectory();
            }
            second.say("close");
            second.expect("1000", SECONDS);
            assertThat(second.exitCode(SECONDS)).isZero();
            assertThat(ofSecond).doesNotExist();
        }
    }

    /** The calls that processes made on a few keys at once have an order in which they could have come one after the other. */
    @Test
    void callsHaveAnOrder() {
        for (int round = 0; round < HISTORIES; round++) {
            List<Note> notes = new ArrayList<>();
            SplittableRandom random = new SplittableRandom(round);
            try (LarderMap<Long, Long> map = open()) {
                int clerk = 3 * round;
                ChildProcess first = start(MapClerk.class, "clerk", clerk, "none");
                ChildProcess victim = start(
                        MapClerk.class,
                        "clerk",
                        clerk + 1,
                        round % 2 == 0 ? "map.linked:" + random.nextInt(500, 5_000) : "none");
                ChildProcess third = start(MapClerk.class, "clerk", clerk + 2, "none");
                try {
                    if (round % 2 == 0) {
                        awaitDeathAtStep(victim);
                    } else {
                        killInTheMiddle(victim, clerk + 1, random.nextInt(MapClerk.NOTES / 2));
                    }
                    long killed = System.nanoTime();
                    notes.addAll(notes(clerk + 1, killed));
                    awaitEnd(first);
                    awaitEnd(third);
                    notes.addAll(notes(clerk, System.nanoTime()));
                    notes.addAll(notes(clerk + 2, System.nanoTime()));
                } finally {
                    first.close();
                    victim.close();
                    third.close();
                }
                assertThat(notes)
                        .hasSizeGreaterThan(4 * MapClerk.NOTES); // all notes of the clerks that were not killed
                check(notes);
                for (long key = 0; key < MapClerk.KEYS; key++) {
                    map.remove(key); // each history begins with an empty map
                }
            }
        }
    }

    private void awaitDeathAtStep(ChildProcess victim) {
        victim.expect("READY", SECONDS);
        victim.expect("END", SECONDS);
        assertThat(victim.exitCode(SECONDS)).as(errors()).isEqualTo(MapWriter.DIED_AT_STEP);
    }

    /** Kills a clerk while it makes the call with a number, or one that comes soon after. */
    private void killInTheMiddle(ChildProcess victim, int clerk, int number) {
        victim.expect("READY", SECONDS);
        MemorySegment notes = MapClerk.notes(directory.resolve("clerk" + clerk));
        await().atMost(LONG)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() ->
                        !victim.isAlive() || MapClerk.read(notes, 0, number).isPresent());
        victim.kill();
        victim.expect("END", SECONDS); // not DONE: it had calls to make
        assertThat(victim.exitCode(SECONDS)).as(errors()).isEqualTo(KILLED);
    }

    private void awaitEnd(ChildProcess clerk) {
        clerk.expect("READY", SECONDS);
        clerk.expect("DONE", SECONDS);
        assertThat(clerk.exitCode(SECONDS)).as(errors()).isZero();
    }

    private List<Note> notes(int clerk, long ended) {
        MemorySegment file = MapClerk.notes(directory.resolve("clerk" + clerk));
        List<Note> notes = new ArrayList<>();
        for (int thread = 0; thread < MapClerk.THREADS; thread++) {
            for (int number = 0; number < MapClerk.NOTES; number++) {
                MapClerk.read(file, thread, number)
                        .map(note -> note.returned() == 0 ? KeyHistory.unreturned(note, ended) : note)
                        .ifPresent(notes::add);
            }
        }
        return notes;
    }

    private static void check(List<Note> notes) {
        for (long key = 0; key < MapClerk.KEYS; key++) {
            long own = key;
            KeyHistory history = new KeyHistory(
                    notes.stream().filter(note -> note.key() == own).toList());
            assertThat(history.misfit()).as("key %s", key).isEmpty();
        }
        assertThat(MapPorcupine.misfit(notes)).as("another checker").isEmpty();
    }
}
