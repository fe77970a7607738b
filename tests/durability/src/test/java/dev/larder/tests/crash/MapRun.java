package dev.larder.tests.crash;

import dev.larder.map.LarderMap;
import dev.larder.tests.crash.MapSquad.Member;
import dev.larder.tests.crash.MapSquad.Role;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

/**
 * One map that three processes share. One or all of them die, again and again; each time their changes are compared with the
 * map.
 */
final class MapRun {

    /** Steps that a process passes only while pages of the index merge; the processes for these have a map of their own. */
    static final List<String> SHRINKING = List.of("index.claimed", "index.told", "index.merged");

    private static final List<Role> GROWING_ROLES = List.of(Role.GROWER, Role.CHURNER, Role.GROWER);
    private static final List<Role> SHRINKING_ROLES = List.of(Role.CHURNER, Role.CHURNER, Role.CHURNER);
    private static final int PLACES = GROWING_ROLES.size();

    /** The number of undisturbed moments that are compared with each death. */
    private static final int UNDISTURBED = 3;

    private static final int ATTEMPTS = 20;
    private static final long ATTEMPT_NANOS = 2_000_000_000L;

    private final MapSquad squad;
    private final Random random;
    private final List<Role> roles;

    MapRun(MapSquad squad, Random random, boolean shrinks) {
        this.squad = squad;
        this.random = random;
        this.roles = shrinks ? SHRINKING_ROLES : GROWING_ROLES;
    }

    void start() {
        for (int place = 0; place < PLACES; place++) {
            start(place);
        }
        squad.awaitProgress();
    }

    private void start(int place) {
        squad.start(roles.get(place), place, "none");
    }

    /** Runs {@code kill}, {@code all}, or {@code halt:step}. */
    void event(String event) {
        LockSupport.parkNanos((20 + random.nextInt(300)) * 1_000_000L);
        for (int moment = 0; moment < UNDISTURBED; moment++) {
            squad.measureUndisturbed();
        }
        String[] parts = event.split(":", 2);
        switch (parts[0]) {
            case "kill" -> killAny();
            case "all" -> killAll();
            default -> atStep(parts[1]);
        }
        squad.awaitProgress();
    }

    private void killAny() {
        int place = random.nextInt(PLACES);
        squad.kill(squad.at(place));
        squad.checkLast(random.nextBoolean());
        start(place);
    }

    /** Kills all processes: the next one finds no index that it may believe, and makes one from image and log. */
    private void killAll() {
        squad.killAll();
        squad.checkLast(false);
        start();
    }

    private void atStep(String step) {
        switch (step.substring(0, step.indexOf('.'))) {
            case "register" -> atOpening(step);
            case "recover" -> atRecovery(step);
            case "image" -> atImage(step);
            default -> atWork(step);
        }
    }

    private void atWork(String step) {
        int place = random.nextInt(PLACES);
        squad.kill(squad.at(place));
        Role role =
                SHRINKING.contains(step) ? Role.SHRINKER : step.startsWith("index.") ? Role.GROWER : roles.get(place);
        squad.startToDie(role, place, step + ":" + times(step));
        squad.checkLast(role == Role.SHRINKER || random.nextBoolean());
        start(place);
    }

    /**
     * Returns at which passing of a step to die: in the middle of the work for a step of each record, among the first for other
     * steps.
     */
    private int times(String step) {
        return 1
                + random.nextInt(
                        switch (step) {
                            case "map.claimed", "map.filled", "map.linked", "map.committed" -> 30_000;
                            case "append.entered", "append.claimed" -> 30_000;
                            case "clean.claimed",
                                    "clean.filled",
                                    "clean.linked",
                                    "clean.committed",
                                    "clean.forgotten" -> 1_000;
                            case "append.copied", "append.committed", "map.batched" -> 50;
                            case "index.frozen", "index.built", "index.decided", "index.flipped" -> 6;
                            default -> 3;
                        });
    }

    private void atOpening(String step) {
        int place = random.nextInt(PLACES);
        squad.kill(squad.at(place));
        squad.startToDieOpening(roles.get(place), place, step + ":1");
        squad.checkLast(false);
        start(place);
    }

    /** Kills a process while it recovers the claim of another dead process; sometimes the third process finds the claim first. */
    private void atRecovery(String step) {
        int place = random.nextInt(PLACES);
        int other = (place + 1) % PLACES;
        String plan = step + ":1";
        squad.kill(squad.at(place));
        Member finder = squad.start(roles.get(place), place, plan);
        boolean died = false;
        for (int attempt = 0; !died && attempt < ATTEMPTS; attempt++) {
            leaveAClaim(other);
            died = squad.hasDied(finder, ATTEMPT_NANOS);
            start(other);
        }
        squad.seeOffAtStep(finder, plan);
        squad.checkLast(false);
        start(place);
    }

    private void leaveAClaim(int place) {
        String plan = "map.filled:" + (1 + random.nextInt(5000));
        squad.seeOffKilled(squad.at(place));
        squad.seeOffAtStep(squad.start(roles.get(place), place, plan), plan);
    }

    /** Kills all processes. The next process that opens the map takes its index from an image, and dies at that. */
    private void atImage(String step) {
        squad.killAll();
        try (LarderMap<Long, Long> map = squad.open()) {
            squad.checkAll(map); // leaves an image
        }
        squad.startToDieOpening(Role.CHURNER, 0, step + ":" + times(step));
        start();
    }

    /** Kills all processes, and compares all that they have ever put: from the log, and from an image. */
    void finish() {
        squad.killAll();
        try (LarderMap<Long, Long> map = squad.open()) {
            squad.checkAll(map);
            map.compact();
        }
        try (LarderMap<Long, Long> map = squad.open()) {
            squad.checkAll(map);
        }
    }
}
