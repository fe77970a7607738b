package dev.larder.tests.crash;

import dev.larder.tests.crash.Squad.Member;
import dev.larder.tests.crash.Squad.Role;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** One queue with two writers and two tailers, which die, or stop for 2 s and continue, one after the other. */
final class CrashRun {

    /** Every named step of the log, and {@code fill.half} of the test programs, at which a member halts or stops. */
    static final List<String> POINTS =
            Stream.concat(NamedSteps.ofLog().stream(), Stream.of("fill.half")).toList();

    /** The points at which a claimed record is left behind. */
    static final List<String> CLAIMED = List.of("append.claimed", "fill.half", "append.copied");

    private static final long STEP_SECONDS = 120;
    private static final int ATTEMPTS = 10;
    private static final long STOP_NANOS = 2_000_000_000L;
    private static final long LOOK_NANOS = 1_000_000;

    private final Squad squad;
    private final Random random;
    private int kills;

    CrashRun(Squad squad, Random random) {
        this.squad = squad;
        this.random = random;
    }

    int kills() {
        return kills;
    }

    void start() {
        for (int place = 0; place < 2; place++) {
            squad.start(Role.TAILER, place, "none");
            squad.start(Role.WRITER, place, "none");
        }
        squad.awaitProgress(squad.members());
    }

    /** Runs {@code kill}, {@code all}, {@code halt:point} or {@code stop:point}. */
    void event(String event) {
        String[] parts = event.split(":", 2);
        LockSupport.parkNanos((20 + random.nextInt(130)) * 1_000_000L);
        switch (parts[0]) {
            case "kill" -> replace(anyRole(), random.nextInt(2), "none");
            case "all" -> killAll();
            default -> atPoint(parts[0], parts[1]);
        }
        squad.awaitProgress(squad.members());
    }

    private Role anyRole() {
        return random.nextBoolean() ? Role.WRITER : Role.TAILER;
    }

    /** Kills a member, and starts another in its place. */
    private Member replace(Role role, int place, String plan) {
        squad.kill(squad.at(role, place));
        kills++;
        return squad.start(role, place, plan);
    }

    private void atPoint(String action, String point) {
        int place = random.nextInt(2);
        if (point.startsWith("register.")) {
            atRegistration(action, point, place);
        } else if (point.startsWith("recover.")) {
            atRecovery(action, point, place);
        } else {
            boolean often = point.startsWith("append.") || point.startsWith("fill.");
            String times = Integer.toString(1 + random.nextInt(often ? 2000 : 3));
            Member member = replace(Role.WRITER, place, action + ":" + point + ":" + times);
            if (action.equals("halt")) {
                halted(member, point);
            } else {
                squad.together(() -> member.process().expect("AT " + point, STEP_SECONDS));
                stopAndContinue(member, point);
            }
        }
    }

    private void halted(Member member, String point) {
        squad.watch(member);
        squad.together(() -> member.process().expect("AT " + point, STEP_SECONDS));
        squad.bury(member, System.nanoTime());
        kills++;
        squad.start(member.role(), member.place(), "none");
    }

    /** Stops a member. The others continue meanwhile: writers always, tailers unless the stopped one has a claim. */
    private void stopAndContinue(Member member, String point) {
        member.process().signal("STOP");
        boolean claimed = CLAIMED.contains(point);
        List<Member> others = squad.members().stream()
                .filter(other -> other.child().number() != member.child().number())
                .filter(other -> other.role() == Role.WRITER || !claimed)
                .toList();
        squad.awaitProgress(others);
        LockSupport.parkNanos(STOP_NANOS);
        squad.awaitProgress(others);
        member.process().signal("CONT");
        member.process().say("go");
    }

    private void atRegistration(String action, String point, int place) {
        Role role = anyRole();
        squad.kill(squad.at(role, place));
        kills++;
        Member member = squad.launch(role, place, action + ":" + point + ":1");
        member.process().expect("AT " + point, STEP_SECONDS);
        if (action.equals("halt")) {
            member.process().exitCode(STEP_SECONDS);
            kills++;
            squad.passOver();
            squad.start(role, place, "none");
        } else {
            stopAndContinue(member, point);
            member.process().expect("READY", STEP_SECONDS);
            squad.ready(member);
        }
    }

    /** Stops one tailer, so that the other one finds the claim that a writer leaves, unless a sync finds it first. */
    private void atRecovery(String action, String point, int place) {
        Member tailer = replace(Role.TAILER, place, action + ":" + point + ":1");
        Member bystander = squad.at(Role.TAILER, 1 - place);
        if (action.equals("halt")) {
            squad.watch(tailer);
        }
        bystander.process().signal("STOP");
        String said = "";
        for (int attempt = 0; said.isEmpty() && attempt < ATTEMPTS; attempt++) {
            said = saidOrWentOn(tailer);
            if (said.isEmpty()) {
                long found = squad.recoveredClaims();
                leaveAClaim(place);
                said = saidAtTheClaim(tailer, found);
                squad.start(Role.WRITER, place, "none");
            }
        }
        if (!said.equals("AT " + point)) {
            throw new AssertionError("tailer said '" + said + "' instead of AT " + point);
        }
        bystander.process().signal("CONT");
        if (action.equals("halt")) {
            squad.bury(tailer, System.nanoTime());
            kills++;
            squad.start(Role.TAILER, place, "none");
        } else {
            stopAndContinue(tailer, point);
        }
    }

    /** Returns what a tailer says when it finds a claim; empty if another process has found it, and the tailer goes on. */
    private String saidAtTheClaim(Member tailer, long found) {
        String said = "";
        long start = System.nanoTime();
        while (said.isEmpty() && squad.recoveredClaims() == found) {
            requireTime(start, "nobody found the claim");
            said = tailer.process().lineOrEmpty(0);
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return said.isEmpty() ? saidOrWentOn(tailer) : said;
    }

    /** Waits until a tailer reads on, or says something; returns what it says, or nothing. */
    private static String saidOrWentOn(Member tailer) {
        String said = "";
        long start = System.nanoTime();
        while (said.isEmpty() && tailer.progress().lastNanos() - start < 0) {
            requireTime(start, "the tailer is stuck");
            said = tailer.process().lineOrEmpty(0);
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return said;
    }

    private static void requireTime(long start, String otherwise) {
        if (System.nanoTime() - start > STEP_SECONDS * 1_000_000_000L) {
            throw new AssertionError(otherwise + " within " + STEP_SECONDS + " s");
        }
    }

    private void leaveAClaim(int place) {
        squad.at(Role.WRITER, place).process().kill();
        squad.remove(squad.at(Role.WRITER, place));
        Member writer = squad.start(Role.WRITER, place, "halt:fill.half:50");
        writer.process().expect("AT fill.half", STEP_SECONDS);
        squad.remove(writer);
        kills += 2;
    }

    /** Kills all members, one with a claim, and then the first process that opens the queue. Then all come back. */
    private void killAll() {
        Member writer = replace(Role.WRITER, 0, "halt:fill.half:60000");
        squad.members().stream()
                .filter(member -> !member.equals(writer))
                .forEach(member -> member.process().signal("STOP")); // only a later process may find the claim
        squad.setPaced(false);
        writer.process().expect("AT fill.half", STEP_SECONDS);
        squad.members().forEach(member -> {
            member.process().kill();
            squad.remove(member);
            kills++;
        });
        Member first = squad.launch(Role.WRITER, 0, "halt:recover.settled:1");
        first.process().expect("AT recover.settled", STEP_SECONDS);
        first.process().exitCode(STEP_SECONDS);
        kills++;
        squad.passOver();
        squad.setPaced(true);
        start();
    }
}
