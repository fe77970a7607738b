package dev.larder.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.map.LarderMap;
import dev.larder.tests.support.Effort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three processes share a map that grows and is cleaned, and of which images are made. They are killed at random, and at every
 * named step. No put that has returned is lost, no removed entry comes back, no value is a wrong one. The survivors look at
 * their own keys all the time, and no process waits for the dead.
 *
 * <p>The soak run kills 300 times, at each step at least once, and judges how long survivors wait; {@code .ci/run} kills 4
 * times, and reports it.
 */
@Timeout(3600)
@Tag(Effort.LONG)
final class MapKillTest {

    private static final boolean SOAK = Boolean.getBoolean("larder.soak");
    private static final boolean PORTABLE =
            !System.getProperty("larder.test.storage", "system").equals("system");
    private static final int KILLS = SOAK ? 300 : 4;
    private static final int FORGETFUL_KILLS = 40;
    private static final int EVENTS_A_MAP = 10;
    private static final long AFTER_LIFE_NANOS = 500_000_000;

    /**
     * A step that a queue's writer passes, but a map's never does: the map fills what it has claimed, or writes a batch by a
     * call.
     */
    private static final Set<String> NEVER = Set.of("append.copied");

    private final long seed = Long.getLong("larder.seed", SOAK ? System.nanoTime() : 20_261_124);
    private final Random random = new Random(seed);
    private final String storage = PORTABLE ? "portable" : "system";
    private final Waits waits = new Waits();
    private final Set<String> passed = new TreeSet<>();
    private int kills;
    private long forgotten;
    private int maps;

    @TempDir
    Path directory;

    @Test
    void losesNothingWhoeverDies() throws IOException {
        assumeTrue(SOAK || !PORTABLE, "without native calls in the long run (-Psoak) only");
        Deque<String> shrinking = new ArrayDeque<>();
        Deque<String> others = new ArrayDeque<>(List.of("all"));
        for (String step : steps()) {
            (MapRun.SHRINKING.contains(step) ? shrinking : others).add("halt:" + step);
        }
        if (SOAK) { // otherwise MapShrinkTest runs them
            run(MapKind.QUIET, shrinking, 0);
        }
        while (kills < KILLS || (SOAK && !others.isEmpty())) {
            run(MapKind.PLAIN, others, KILLS);
        }
        report("plain");
        assertThat(kills).isGreaterThanOrEqualTo(KILLS);
        List<String> named = passed.stream()
                .filter(step -> !step.matches(
                        "(background|close|replay)\\..*")) // composed at run time, or passed only while opening
                .toList();
        assertThat(NamedSteps.ofMap()).as("named in the sources").containsAll(named);
        if (SOAK) {
            assertThat(passed).as("passed by somebody").containsAll(steps());
            waits.requireShort();
        }
    }

    /** Evicted values may be gone, but a value that is there is the last one of its key. A put waits until there is room. */
    @Test
    void aCacheHasNothingThatWasReplaced() throws IOException {
        assumeTrue(SOAK, "takes half a minute: in the long run (-Psoak) only");
        runForgetful(MapKind.CACHE, "(clean|drop|checkpoint|map)\\..*");
    }

    /** The same holds for values that have expired, and in the end none is left. The cleaner carries hardly any of these. */
    @Test
    void whatHasExpiredStaysAway() throws IOException {
        assumeTrue(SOAK, "takes two minutes: in the long run (-Psoak) only");
        runForgetful(
                MapKind.LIFETIMES,
                "(clean\\.(scanned|synced|forgotten|dropped|freed)|drop\\..*|checkpoint\\..*|map\\..*)");
    }

    private void runForgetful(MapKind kind, String names) throws IOException {
        List<String> steps = new ArrayList<>(steps().stream()
                .filter(step -> step.matches(names))
                .map(step -> "halt:" + step)
                .toList());
        steps.addAll(List.of("all", "halt:clean.forgotten"));
        Collections.shuffle(steps, random);
        Deque<String> events = new ArrayDeque<>(steps);
        while (kills < FORGETFUL_KILLS || forgotten == 0) { // it takes a while until a cache is full
            run(kind, events, Math.max(FORGETFUL_KILLS, kills + EVENTS_A_MAP));
        }
        report(kind.name());
        waits.requireNoLongerThanUndisturbed();
    }

    /** Returns all steps that a map passes, in random order. */
    private List<String> steps() {
        List<String> steps = new ArrayList<>(NamedSteps.ofMap());
        steps.removeAll(NEVER);
        Collections.shuffle(steps, random);
        return steps;
    }

    private void run(MapKind kind, Deque<String> events, int enough) throws IOException {
        int map = maps++;
        Path place = place(map);
        String event = "start";
        try (MapSquad squad = new MapSquad(place, storage, kind)) {
            MapRun run = new MapRun(squad, random, enough == 0);
            run.start();
            for (int i = 0; i < EVENTS_A_MAP && mustGoOn(events, enough, kills + squad.kills()); i++) {
                event = events.isEmpty() ? "kill" : events.remove();
                run.event(event);
            }
            event = "finish";
            run.finish();
            requireForgotten(kind, squad);
            kills += squad.kills();
            forgotten += squad.forgotten();
            waits.add(squad.deaths());
            waits.addUndisturbed(squad.undisturbed());
            passed.addAll(squad.passed());
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed + ", map " + map + ", at " + event, e);
        } finally {
            CrashTest.delete(place);
        }
    }

    private static boolean mustGoOn(Deque<String> events, int enough, int killed) {
        return killed < enough || ((SOAK || enough == 0) && !events.isEmpty());
    }

    private static void requireForgotten(MapKind kind, MapSquad squad) {
        try (LarderMap<Long, Long> map = squad.open()) {
            if (kind == MapKind.LIFETIMES) {
                LockSupport.parkNanos(MapKind.LIFETIME.toNanos() + AFTER_LIFE_NANOS);
                squad.requireNothingLeft(map);
            }
        }
    }

    /** Every other map lies in memory, where no process waits for a disk. */
    private Path place(int map) throws IOException {
        Path memory = Path.of("/dev/shm");
        boolean inMemory = map % 2 == 0 && Files.isWritable(memory);
        return Files.createTempDirectory(inMemory ? memory : directory, "larder-map-kills-");
    }

    private void report(String kind) {
        Set<String> missing = new TreeSet<>(NamedSteps.ofMap());
        missing.removeAll(passed);
        System.out.println("map kills, " + kind + ": seed=" + seed + " storage=" + storage + " kills=" + kills
                + " maps=" + maps + " forgotten=" + forgotten + " " + waits.report()
                + "\nsteps that nobody has passed: " + missing);
    }
}
