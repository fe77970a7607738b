package dev.larder.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.IntegrityMode;
import dev.larder.log.LogCounter;
import dev.larder.tests.support.Effort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes are killed, or stopped for 2 s, at random and at every named step. Nothing acknowledged is lost, nothing appears
 * twice or torn, every tailer sees one order, and no process is stuck.
 *
 * <p>The soak run kills 200 times and judges how long survivors wait; {@code .ci/run} kills 20 times, 5 without native calls,
 * and reports it; {@code mvn verify} kills three times.
 */
final class CrashTest {

    private static final boolean SOAK = Boolean.getBoolean("larder.soak");
    private static final boolean PORTABLE =
            !System.getProperty("larder.test.storage", "system").equals("system");
    private static final int KILLS = PORTABLE ? Effort.of(3, 5, 200) : Effort.of(3, 20, 200);
    private static final int CLAIMS = Math.max(1, KILLS / 10);
    private static final int EVENTS_A_QUEUE = 8;
    private static final List<String> SOME = List.of(
            "halt:fill.half",
            "halt:roll.linked",
            "kill",
            "stop:append.claimed",
            "halt:recover.judged",
            "halt:append.copied",
            "halt:register.taken",
            "all",
            "halt:sync.flushed");
    private static final List<IntegrityMode> MODES = List.of(IntegrityMode.values());

    private final long seed = Long.getLong("larder.seed", SOAK ? System.nanoTime() : 20_261_121);
    private final Random random = new Random(seed);
    private final String storage = PORTABLE ? "portable" : "system";
    private final Waits waits = new Waits();
    private int kills;
    private long recycled;
    private long claims;
    private long acknowledged;
    private long messages;

    @TempDir
    Path directory;

    @Test
    void nothingAcknowledgedIsLostAndNobodyIsStuck() throws IOException {
        Deque<String> events = new ArrayDeque<>(SOAK ? everything() : some());
        for (int round = 0; !events.isEmpty() || kills < KILLS || claims < CLAIMS; round++) {
            runOnOneQueue(round, events);
        }
        report();
        assertThat(kills).isGreaterThanOrEqualTo(KILLS);
        assertThat(claims).isGreaterThanOrEqualTo(CLAIMS);
        assertThat(recycled).isPositive();
        if (SOAK) {
            waits.requireShort();
        }
    }

    /** Returns every point, as a death and as a stop, and deaths with a claim, in random order. */
    private List<String> everything() {
        List<String> events = new ArrayList<>(List.of("all", "all"));
        CrashRun.POINTS.forEach(point -> events.addAll(List.of("halt:" + point, "stop:" + point)));
        for (int i = 0; i < 24; i++) {
            events.add("halt:" + CrashRun.CLAIMED.get(i % CrashRun.CLAIMED.size()));
        }
        Collections.shuffle(events, random);
        return events;
    }

    /** Returns some points, without drops and recycling: the process that holds MAINT comes to those, at a time of its own. */
    private static List<String> some() {
        return KILLS < SOME.size()
                ? List.of("halt:fill.half", "stop:append.claimed", "halt:recover.judged", "kill")
                : SOME;
    }

    private void runOnOneQueue(int round, Deque<String> events) throws IOException {
        Path place = place(round);
        IntegrityMode integrity = MODES.get(round % MODES.size());
        String event = "start";
        try (Squad squad = new Squad(place, storage, integrity)) {
            CrashRun run = new CrashRun(squad, random);
            run.start();
            for (int i = 0; i < EVENTS_A_QUEUE && (!events.isEmpty() || kills + run.kills() < KILLS); i++) {
                event = events.isEmpty() ? "kill" : events.remove();
                run.event(event);
            }
            event = "finish";
            take(run, squad);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("seed " + seed + ", queue " + round + ", at " + event, e);
        } finally {
            delete(place);
        }
    }

    private void take(CrashRun run, Squad squad) {
        History history = squad.finish();
        assertThat(history.faults()).isEmpty();
        assertThat(history.messages()).isPositive();
        kills += run.kills();
        claims += squad.recoveredClaims();
        recycled += squad.counter(LogCounter.RECYCLED);
        waits.add(squad.deaths());
        acknowledged += history.acknowledged();
        messages += history.messages();
    }

    /** Every other queue lies in memory, where no process waits for a disk. */
    private Path place(int round) throws IOException {
        Path memory = Path.of("/dev/shm");
        boolean inMemory = round % 2 == 0 && Files.isWritable(memory);
        return Files.createTempDirectory(inMemory ? memory : directory, "larder-crash-");
    }

    private void report() throws IOException {
        String text = "crash seed=" + seed + " storage=" + storage + " kills=" + kills + " claims_left=" + claims
                + " recycled=" + recycled
                + " messages=" + messages + " acknowledged=" + acknowledged + " lost=0 " + waits.report();
        Path target = Path.of("target", "crash-report.txt");
        Files.createDirectories(target.toAbsolutePath().getParent());
        Files.writeString(target, text + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        System.out.println(text);
    }

    static void delete(Path root) throws IOException {
        try (Stream<Path> paths = Files.walk(root)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
