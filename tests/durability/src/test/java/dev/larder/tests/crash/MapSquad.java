package dev.larder.tests.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.layer.Failpoints;
import dev.larder.map.LarderMap;
import dev.larder.map.MapSpace;
import dev.larder.memory.Storage;
import dev.larder.memory.SystemStorage;
import dev.larder.tests.crash.DeathWatch.Death;
import dev.larder.tests.crash.DeathWatch.Survivor;
import dev.larder.tests.crash.MapWriter.Change;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/** Three processes that share a map. Members die and are replaced, and the keys that they have left are compared. */
final class MapSquad implements AutoCloseable {

    /** The work of a member. */
    enum Role {
        /** Changes keys, so many that the index grows. */
        GROWER(MapMember.class),
        /** Changes few keys, so that nearly all its records are dead. */
        CHURNER(MapMember.class),
        /** Fills the map and empties it, so that pages of the index merge. */
        SHRINKER(MapShrinker.class);

        private final Class<?> program;

        Role(Class<?> program) {
            this.program = program;
        }
    }

    /** A process of the squad. */
    record Member(Role role, int place, int number, ChildProcess process, Progress progress, int slot) {

        String name() {
            return role + " " + number;
        }
    }

    /**
     * A member that has died, whose keys are as they were, or all removed.
     *
     * @param absent the removed keys of which none was found. A batch of its loader may be linked after that
     */
    private record Dead(Member member, boolean isCleared, Set<Long> absent) {}

    private static final long STEP_SECONDS = 180;
    private static final long START_SECONDS = 120;

    /** The soak run judges waits, on a machine that does nothing else; a busy one may hold up a process for much longer. */
    private static final long STUCK_NANOS = (Boolean.getBoolean("larder.soak") ? 20 : 120) * 1_000_000_000L;

    private static final long SETTLE_NANOS = 20_000_000;
    private static final long LOOK_NANOS = 1_000_000;

    private final Path map;
    private final Path reports;
    private final String storage;
    private final MapKind kind;
    private final DeathWatch watch;
    private final List<Member> members = new ArrayList<>();
    private final List<Dead> dead = new ArrayList<>();
    private final List<ChildProcess> everybody = new ArrayList<>();
    private int numbers;
    private int kills;
    private long forgotten;

    MapSquad(Path directory, String storage, MapKind kind) {
        this.map = directory.resolve("map");
        this.reports = directory.resolve("reports");
        this.storage = storage;
        this.kind = kind;
        try {
            Files.createDirectories(reports);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        open().close();
        this.watch = new DeathWatch(map, reports.resolve("probe.err"));
    }

    int kills() {
        return kills;
    }

    /** Returns how many entries were evicted or found expired, as far as this process has seen. */
    long forgotten() {
        return forgotten;
    }

    List<Death> deaths() {
        return watch.deaths();
    }

    List<Death> undisturbed() {
        return watch.undisturbed();
    }

    /** Returns the steps that members have passed. */
    Set<String> passed() {
        return PassedSteps.names(MapMember.passed(changes(0)));
    }

    Member at(int place) {
        return members.stream()
                .filter(member -> member.place() == place)
                .findFirst()
                .orElseThrow();
    }

    LarderMap<Long, Long> open() {
        Storage files = storage.equals("system") ? SystemStorage.system() : SystemStorage.portable();
        return kind.open(map, files, Failpoints.NONE);
    }

    private Path changes(int number) {
        return reports.resolve("changes-" + number);
    }

    /** Starts a member, and waits until it has the map open. */
    Member start(Role role, int place, String plan) {
        Member launched = launch(role, place, plan);
        launched.process().expect("READY", START_SECONDS);
        Member member =
                new Member(role, place, launched.number(), launched.process(), launched.progress(), watch.freshSlot());
        members.add(member);
        return member;
    }

    private Member launch(Role role, int place, String plan) {
        watch.freshSlot(); // skips the slot of a process that has opened the map to check it
        int number = nextNumber(role);
        MapWriter.progress(changes(number));
        ChildProcess process = ChildProcess.start(
                role.program,
                reports.resolve("errors-" + number),
                List.of(),
                map.toString(),
                changes(number).toString(),
                String.valueOf(number),
                storage,
                plan,
                kind.name());
        everybody.add(process);
        return new Member(role, place, number, process, new Progress(MapMember.gaps(changes(number))), -1);
    }

    /** Returns a number for a new member; the number decides how many keys the member has. */
    private int nextNumber(Role role) {
        boolean even = role == Role.GROWER;
        numbers += numbers % 2 == 0 == even ? 2 : 1;
        return numbers;
    }

    /** Kills a member, and measures how long the survivors wait. */
    void kill(Member victim) {
        watch.watch(victim.slot());
        long asked = System.nanoTime();
        victim.process().kill();
        bury(victim, asked);
    }

    /** Starts a member that dies at a step, and measures how long the survivors wait then. */
    void startToDie(Role role, int place, String plan) {
        Member victim = start(role, place, plan);
        watch.watch(victim.slot());
        requireDeath(victim, plan);
        bury(victim, System.nanoTime());
    }

    /** Starts a member that dies before it has the map open; the other members, if any, continue. */
    void startToDieOpening(Role role, int place, String plan) {
        Member victim = launch(role, place, plan);
        requireDeath(victim, plan);
        seeOff(victim);
        awaitProgress();
    }

    private void requireDeath(Member victim, String plan) {
        assertThat(victim.process().exitCode(STEP_SECONDS))
                .as("%s at %s; %s", victim.name(), plan, errors(victim))
                .isEqualTo(MapWriter.DIED_AT_STEP);
    }

    /** Waits at most this long for a member's death; returns whether it has died. */
    boolean hasDied(Member victim, long nanos) {
        long start = System.nanoTime();
        while (victim.process().isAlive() && System.nanoTime() - start < nanos) {
            LockSupport.parkNanos(LOOK_NANOS);
        }
        return !victim.process().isAlive();
    }

    /** Kills a member, without a measurement. */
    void seeOffKilled(Member victim) {
        victim.process().kill();
        victim.process().exitCode(START_SECONDS);
        seeOff(victim);
    }

    /** Removes a member that has died at its step, without a measurement. */
    void seeOffAtStep(Member victim, String plan) {
        requireDeath(victim, plan);
        seeOff(victim);
    }

    /** Measures how long members wait for each other, and for room, while no process dies. */
    void measureUndisturbed() {
        long now = System.nanoTime();
        awaitProgress();
        LockSupport.parkNanos(SETTLE_NANOS);
        watch.measureUndisturbed(now, watched());
    }

    private List<Survivor> watched() {
        return members.stream()
                .map(member -> new Survivor(member.name(), member.progress()))
                .toList();
    }

    private void bury(Member victim, long asked) {
        long released = watch.awaitRelease();
        victim.process().exitCode(START_SECONDS);
        seeOff(victim);
        awaitProgress();
        LockSupport.parkNanos(SETTLE_NANOS);
        watch.measure(asked, released, watched());
    }

    private void seeOff(Member victim) {
        kills++;
        members.remove(victim);
        dead.add(new Dead(victim, false, Set.of()));
    }

    /** Kills all at once. */
    void killAll() {
        List<Member> all = List.copyOf(members);
        all.forEach(member -> member.process().kill());
        all.forEach(member -> {
            member.process().exitCode(START_SECONDS);
            seeOff(member);
        });
    }

    /** Waits until each member has made progress; fails with the name of a stuck member. */
    void awaitProgress() {
        long now = System.nanoTime();
        for (Member member : members) {
            while (member.role() != Role.SHRINKER && !hasProgressSince(member, now)) {
                if (System.nanoTime() - now > STUCK_NANOS || !member.process().isAlive()) {
                    throw new AssertionError("stuck, or dead: " + member.name() + " after "
                            + member.progress().done() + " changes; " + errors(member));
                }
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }
    }

    private static boolean hasProgressSince(Member member, long nanos) {
        long last = member.progress().lastNanos();
        return last != 0 && last - nanos > 0;
    }

    private String errors(Member member) {
        try {
            return Files.readString(reports.resolve("errors-" + member.number()));
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Compares the keys of the member that died last; if asked, removes all of them, while the other members continue. */
    void checkLast(boolean clear) {
        Dead last = dead.getLast();
        try (LarderMap<Long, Long> opened = open()) {
            check(opened, last);
            MapSpace space = opened.info().space();
            forgotten = Math.max(forgotten, space.evicted() + space.expired());
            if (clear) {
                dead.set(dead.size() - 1, new Dead(last.member(), true, clear(opened, last.member())));
            }
        }
    }

    /** Compares the keys of all members that have died. */
    void checkAll(LarderMap<Long, Long> opened) {
        dead.forEach(one -> check(opened, one));
    }

    /** Requires that no key is left of members that died longer ago than entries live. */
    void requireNothingLeft(LarderMap<Long, Long> opened) {
        dead.forEach(one -> requireCleared(opened, one.member(), Set.of()));
    }

    private void check(LarderMap<Long, Long> opened, Dead one) {
        if (one.isCleared()) {
            requireCleared(opened, one.member(), one.absent());
        } else if (one.member().role() == Role.SHRINKER) {
            checkShrinker(opened, one.member());
        } else {
            checkChanges(opened, one.member());
        }
    }

    /** Removes all keys of a member; returns those of which there was none. */
    private static Set<Long> clear(LarderMap<Long, Long> opened, Member member) {
        Set<Long> absent = new HashSet<>();
        forEachKey(member, key -> {
            if (opened.remove(key) == null) {
                absent.add(key);
            }
        });
        return absent;
    }

    private void requireCleared(LarderMap<Long, Long> opened, Member member, Set<Long> absent) {
        forEachKey(member, key -> {
            boolean mayBeLinked = isLoaded(member, key) && absent.contains(key);
            requireValue(opened, member, key, 0, mayBeLinked ? done(member, MapWriter.THREADS) + 1 : 0);
        });
    }

    private static boolean isLoaded(Member member, long key) {
        return member.role() != Role.SHRINKER && key >= MapWriter.key(member.number(), MapWriter.THREADS, 0);
    }

    private static void forEachKey(Member member, LongConsumer action) {
        if (member.role() == Role.SHRINKER) {
            for (int key = 0; key < MapShrinker.KEYS; key++) {
                action.accept(MapShrinker.key(member.number(), key));
            }
        } else {
            for (int thread = 0; thread < MapWriter.THREADS; thread++) {
                for (int key = 0; key < MapWriter.keys(member.number()); key++) {
                    action.accept(MapWriter.key(member.number(), thread, key));
                }
            }
            for (int key = 0; key < MapWriter.LOADED_KEYS; key++) {
                action.accept(MapWriter.key(member.number(), MapWriter.THREADS, key));
            }
        }
    }

    private void checkShrinker(LarderMap<Long, Long> opened, Member member) {
        long changes = done(member, 0);
        for (int key = 0; key < MapShrinker.KEYS; key++) {
            requireValue(
                    opened,
                    member,
                    MapShrinker.key(member.number(), key),
                    MapShrinker.valueAfter(changes, key),
                    MapShrinker.valueAfter(changes + 1, key));
        }
    }

    private void checkChanges(LarderMap<Long, Long> opened, Member member) {
        for (int thread = 0; thread < MapWriter.THREADS; thread++) {
            checkChanges(opened, member, thread);
        }
        long laps = done(member, MapWriter.THREADS);
        for (int key = 0; key < MapWriter.LOADED_KEYS; key++) {
            requireValue(opened, member, MapWriter.key(member.number(), MapWriter.THREADS, key), laps, laps + 1);
        }
    }

    /** Checks that each key has the value of its last change that has returned, or of the change that was under way. */
    private void checkChanges(LarderMap<Long, Long> opened, Member member, int thread) {
        int number = member.number();
        long done = done(member, thread);
        long[] expected = new long[MapWriter.keys(number)];
        for (long count = 0; count < done; count++) {
            Change change = Change.of(number, thread, count);
            expected[change.key()] = change.value();
        }
        Change underWay = Change.of(number, thread, done);
        for (int key = 0; key < expected.length; key++) {
            long other = key == underWay.key() ? underWay.value() : expected[key];
            requireValue(opened, member, MapWriter.key(number, thread, key), expected[key], other);
        }
    }

    private long done(Member member, int thread) {
        MemorySegment counts = MapWriter.progress(changes(member.number()));
        return counts.getAtIndex(ValueLayout.JAVA_LONG, thread);
    }

    /** Requires one of two values. A map that forgets may also have forgotten the key. */
    private void requireValue(LarderMap<Long, Long> opened, Member member, long key, long value, long other) {
        long found = opened.getOrDefault(key, 0L);
        boolean forgotten = found == 0 && kind.forgets();
        if (found != value && found != other && !forgotten) {
            throw new AssertionError("key " + Long.toHexString(key) + " of " + member.name() + " is " + found
                    + ", expected " + value + " or " + other);
        }
    }

    @Override
    public void close() {
        everybody.forEach(ChildProcess::close);
        watch.close();
    }
}
