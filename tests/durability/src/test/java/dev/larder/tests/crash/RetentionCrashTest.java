package dev.larder.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.log.IntegrityMode;
import dev.larder.log.LogCounter;
import dev.larder.tests.crash.Squad.Member;
import dev.larder.tests.crash.Squad.Role;
import dev.larder.tests.support.Effort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes are killed while segments are dropped, their files are poisoned and used again, and processes compete for names:
 * two writers, a tailer, two processes that want the tailer of one name, and one that has another name and commits.
 *
 * <p>Nothing acknowledged is lost, except for what retention drops, and the tailer reports where it fell behind. Nothing
 * appears twice, except for the message, or the batch, that a named tailer was handling. No name's place goes back or passes
 * anything over. No poisoned byte is delivered. The soak run kills 200 times.
 */
@Tag(Effort.LONG)
final class RetentionCrashTest {

    private static final boolean SOAK = Boolean.getBoolean("larder.soak");
    private static final boolean PORTABLE =
            !System.getProperty("larder.test.storage", "system").equals("system");
    private static final int KILLS = PORTABLE ? Effort.of(2, 4, 200) : Effort.of(4, 8, 200);
    private static final int EVENTS_A_QUEUE = 10;
    private static final List<IntegrityMode> MODES = List.of(IntegrityMode.values());
    private static final Duration LONG = Duration.ofMinutes(2);

    /** A queue keeps 8 segments and two spares: after so many more, the file in which a reader stood would have been reused. */
    private static final int LAP_SEGMENTS = 10;

    private final long seed = Long.getLong("larder.seed", SOAK ? System.nanoTime() : 20_261_122);
    private final Random random = new Random(seed);
    private final String storage = PORTABLE ? "portable" : "system";
    private int kills;
    private long messages;
    private long acknowledged;
    private long recycled;
    private long poisoned;

    @TempDir
    Path directory;

    @BeforeEach
    void requireTime() {
        boolean isNative = System.getProperty("larder.test.storage", "system").equals("system");
        assumeTrue(isNative || Boolean.getBoolean("larder.soak"), "without native calls in the long run (-Psoak) only");
    }

    @Test
    void keepsItsPromisesWhileFilesAreUsedAgainAndNamesChangeHands() throws IOException {
        Deque<String> events = new ArrayDeque<>(SOAK ? everything() : some());
        for (int round = 0; !events.isEmpty() || kills < KILLS; round++) {
            runOnOneQueue(round, events);
        }
        report();
        assertThat(kills).isGreaterThanOrEqualTo(KILLS);
        assertThat(recycled).isPositive();
        assertThat(poisoned).isPositive();
    }

    private static List<String> some() {
        return PORTABLE
                ? List.of("halt:handle.begun", "kill")
                : List.of("halt:handle.begun", "stop:handle.begun", "halt:commit.begun", "kill");
    }

    /** Returns a halt at every step of dropping and recycling, and of named tailers, in random order. */
    private List<String> everything() {
        List<String> events = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            events.addAll(List.of("halt:handle.begun", "stop:handle.begun", "halt:commit.begun", "all"));
            CrashRun.POINTS.stream()
                    .filter(point -> point.matches("(drop|recycle|roll|sync)\\..*"))
                    .forEach(point -> events.add("halt:" + point));
        }
        Collections.shuffle(events, random);
        return events;
    }

    private void runOnOneQueue(int round, Deque<String> events) throws IOException {
        Path place = Files.createTempDirectory(directory, "queue-");
        String event = "start";
        try (Squad squad = new Squad(place, storage + "+poison", MODES.get(round % MODES.size()))) {
            start(squad);
            for (int i = 0; i < EVENTS_A_QUEUE && (!events.isEmpty() || kills < KILLS); i++) {
                event = events.isEmpty() ? "kill" : events.remove();
                run(event, squad);
                squad.awaitProgress(squad.members());
            }
            event = "finish";
            awaitRecycling(squad);
            take(squad);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed + ", queue " + round + ", at " + event, e);
        } finally {
            CrashTest.delete(place);
        }
    }

    private static void start(Squad squad) {
        List<Member> launched = new ArrayList<>();
        for (int place = 0; place < 2; place++) {
            launched.add(squad.launch(Role.WRITER, place, "none"));
            launched.add(squad.launch(Role.NAMED, place, "none"));
        }
        launched.add(squad.launch(Role.TAILER, 0, "none"));
        launched.add(squad.launch(Role.NAMED, 2, "none"));
        for (Member member : launched) {
            member.process().expect("READY", LONG.toSeconds());
            squad.ready(member);
        }
        squad.awaitProgress(squad.members());
    }

    private void run(String event, Squad squad) {
        String[] parts = event.split(":", 2);
        switch (parts[0]) {
            case "kill" -> killAny(squad);
            case "all" -> killAll(squad);
            default -> atPoint(squad, parts[0], parts[1]);
        }
    }

    private void killAny(Squad squad) {
        List<Member> members = squad.members();
        Member victim = members.get(random.nextInt(members.size()));
        replace(squad, victim.role(), victim.place(), "none");
    }

    private Member replace(Squad squad, Role role, int place, String plan) {
        kill(squad, squad.at(role, place));
        return squad.start(role, place, plan);
    }

    private void kill(Squad squad, Member victim) {
        victim.process().kill();
        squad.remove(victim);
        kills++;
    }

    private void killAll(Squad squad) {
        squad.members().forEach(member -> member.process().signal("STOP")); // no process may see another one's end
        squad.members().forEach(member -> kill(squad, member));
        start(squad);
    }

    private void atPoint(Squad squad, String action, String point) {
        boolean handles = point.startsWith("handle.");
        boolean commits = point.startsWith("commit.");
        int times = 1 + random.nextInt(handles ? 2000 : commits ? 200 : 1);
        String plan = action + ":" + point + ":" + times;
        Member member = handles ? successor(squad, plan) : replaceAt(squad, commits ? Role.NAMED : Role.WRITER, plan);
        squad.together(() -> member.process().expect("AT " + point, LONG.toSeconds()));
        if (action.equals("stop")) {
            member.process().signal("STOP"); // it handles a message, but has not looked at its bytes
            awaitLap(squad);
            member.process().signal("CONT");
            member.process().say("go");
        } else {
            squad.remove(member);
            kills++;
            squad.start(member.role(), member.place(), "none");
        }
    }

    private Member replaceAt(Squad squad, Role role, String plan) {
        return replace(squad, role, role == Role.NAMED ? 2 : random.nextInt(2), plan);
    }

    /** Returns a process that takes the contested name over; the other processes that want it are killed for that. */
    private Member successor(Squad squad, String plan) {
        int place = random.nextInt(2);
        Member successor = replace(squad, Role.NAMED, place, plan);
        replace(squad, Role.NAMED, 1 - place, "none");
        return successor;
    }

    /** Waits until so many segments were dropped that every remaining file has had another life. */
    private static void awaitLap(Squad squad) {
        long dropped = squad.counter(LogCounter.DROPPED) + LAP_SEGMENTS;
        Awaitility.await().atMost(LONG).until(() -> squad.counter(LogCounter.DROPPED) >= dropped);
    }

    private static void awaitRecycling(Squad squad) {
        squad.together(() -> Awaitility.await().atMost(LONG).until(() -> squad.counter(LogCounter.RECYCLED) > 0));
    }

    private void take(Squad squad) {
        History history = squad.finish();
        assertThat(history.faults()).isEmpty();
        assertThat(history.messages()).isPositive();
        recycled += squad.counter(LogCounter.RECYCLED);
        poisoned += squad.poisoned();
        acknowledged += history.acknowledged();
        messages += history.messages();
    }

    private void report() {
        System.out.println("crash with retention and names: seed=" + seed + " storage=" + storage + " kills=" + kills
                + " messages=" + messages + " acknowledged=" + acknowledged + " lost=0 recycled=" + recycled
                + " poisoned=" + poisoned);
    }
}
