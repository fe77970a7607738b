package dev.larder.tests.crash;

import dev.larder.log.IntegrityMode;
import dev.larder.log.Log;
import dev.larder.log.LogCounter;
import dev.larder.tests.crash.DeathWatch.Death;
import dev.larder.tests.crash.DeathWatch.Survivor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/** Writers and tailers on one queue, each a process; members die and are replaced. */
final class Squad implements AutoCloseable {

    /** The work of a member. */
    enum Role {
        /** Appends. */
        WRITER(QueueWriter.class),
        /** Reads everything; continues behind the last message that it has reported. */
        TAILER(QueueTailer.class),
        /** Waits for the tailer of a name; the members at places 0 and 1 want the same name. */
        NAMED(NamedTailer.class);

        private final Class<?> program;

        Role(Class<?> program) {
            this.program = program;
        }
    }

    /** A process of the squad. */
    record Member(Role role, int place, Child child, ChildProcess process, Progress progress, int slot) {

        boolean isAt(Role otherRole, int otherPlace) {
            return role == otherRole && place == otherPlace;
        }
    }

    /** The soak run judges waits, on a machine that does nothing else; a busy one may hold up a process for much longer. */
    private static final long STUCK_SECONDS = Boolean.getBoolean("larder.soak") ? 10 : 120;

    private static final long START_SECONDS = 120;
    /** The pause between two looks at all positions: shorter ones would take a good part of a processor. */
    private static final long PACE_NANOS = 1_000_000;

    private static final long LAG_MAX_BYTES = 256 << 10;

    /** How far the last reader may lag if files must be reused: half of what a queue keeps. */
    private static final long TOGETHER_MAX_BYTES = 4 * Child.SEGMENT_BYTES;

    private final Path queue;
    private final Path reports;
    private final String storage;
    private final IntegrityMode integrity;
    private final DeathWatch watch;
    private final Thread pace;
    private final List<Member> members = new CopyOnWriteArrayList<>();
    private final List<Member> writers = new ArrayList<>();
    private final List<ChildProcess> everybody = new ArrayList<>();
    private final Map<Integer, List<Child>> tailers = new TreeMap<>();
    private final Map<String, List<Readings>> named = new TreeMap<>();
    private volatile boolean paced = true;
    private volatile boolean together;
    private int numbers;

    Squad(Path directory, String storage, IntegrityMode integrity) {
        this.queue = directory.resolve("queue");
        this.reports = directory.resolve("reports");
        this.storage = storage;
        this.integrity = integrity;
        try {
            Files.createDirectories(reports);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.watch = new DeathWatch(queue, reports.resolve("probe.err"));
        this.pace = Thread.ofPlatform().daemon().name("pace").start(this::keepPace);
    }

    /**
     * Lets writers pause while the first tailer is far behind them. Otherwise, on few cores, tailers that check every byte
     * would never be where a writer dies. While {@link #together}, writers also pause for the last reader.
     */
    private void keepPace() {
        while (!Thread.currentThread().isInterrupted()) {
            long written = foremost(Role.WRITER);
            boolean far = (paced && written - foremost(Role.TAILER) > LAG_MAX_BYTES)
                    || (together && written - hindmostReader() > TOGETHER_MAX_BYTES);
            members.stream()
                    .filter(member -> member.role() == Role.WRITER)
                    .forEach(writer -> writer.progress().askForPause(far));
            LockSupport.parkNanos(PACE_NANOS);
        }
    }

    void setPaced(boolean on) {
        paced = on;
    }

    private long foremost(Role role) {
        return places(member -> member.role() == role).max().orElse(0);
    }

    /** Returns the place of the last reader, out of those that have begun to read. */
    private long hindmostReader() {
        return places(member -> member.role() != Role.WRITER)
                .filter(place -> place > 0)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    private LongStream places(Predicate<Member> of) {
        return members.stream()
                .filter(of)
                .mapToLong(member -> member.progress().position())
                .map(position -> (position >>> 32) * Child.SEGMENT_BYTES + (position & 0xFFFF_FFFFL));
    }

    /**
     * Runs an action while writers also wait for the last reader: no file is reused as long as a reader stands in a dropped
     * one.
     */
    void together(Runnable action) {
        together = true;
        try {
            action.run();
        } finally {
            together = false;
        }
    }

    Path queue() {
        return queue;
    }

    List<Death> deaths() {
        return watch.deaths();
    }

    List<Member> members() {
        return List.copyOf(members);
    }

    Member at(Role role, int place) {
        return members.stream()
                .filter(member -> member.isAt(role, place))
                .findFirst()
                .orElseThrow();
    }

    /** Starts a member, and waits until it has the queue open. */
    Member start(Role role, int place, String plan) {
        Member member = launch(role, place, plan);
        member.process().expect("READY", START_SECONDS);
        return ready(member);
    }

    /** Starts a member that may never get the queue open. */
    Member launch(Role role, int place, String plan) {
        int number = ++numbers;
        long from = role == Role.TAILER ? lastSeen(place) : -1;
        String name = role == Role.NAMED ? name(place) : "-";
        Child child = new Child(number, queue, reports, plan, storage, integrity, from, name);
        ChildProcess process =
                ChildProcess.start(role.program, reports.resolve(number + ".err"), List.of(), child.arguments());
        everybody.add(process);
        Member member = new Member(role, place, child, process, new Progress(child.progress()), -1);
        switch (role) {
            case WRITER -> writers.add(member);
            case TAILER ->
                tailers.computeIfAbsent(place, key -> new ArrayList<>()).add(child);
            case NAMED -> named.computeIfAbsent(name, key -> new ArrayList<>()).add(new Readings(child.seen()));
        }
        return member;
    }

    private static String name(int place) {
        return place < 2 ? NamedTailer.HANDLED : "committed";
    }

    /** Takes in a member that has the queue open; it must be the last process that registered. */
    Member ready(Member member) {
        Member known = new Member(
                member.role(), member.place(), member.child(), member.process(), member.progress(), watch.freshSlot());
        members.removeIf(other -> other.isAt(member.role(), member.place()));
        members.add(known);
        return known;
    }

    /** Skips the slot of a member that has registered, but died before it was ready. */
    void passOver() {
        watch.freshSlot();
    }

    private long lastSeen(int place) {
        List<Child> before = tailers.getOrDefault(place, List.of());
        for (Child child : before.reversed()) {
            List<History.Seen> seen = Files.exists(child.seen()) ? History.seen(child.seen()) : List.of();
            List<History.Seen> messages =
                    seen.stream().filter(message -> !message.isGap()).toList();
            if (!messages.isEmpty()) {
                return messages.getLast().position();
            }
        }
        return -1;
    }

    /** Kills a member, and measures how long the survivors wait. */
    void kill(Member victim) {
        watch(victim);
        long asked = System.nanoTime();
        victim.process().kill();
        bury(victim, asked);
    }

    /** Begins to watch a member's LIVE byte; the byte stays locked while the member lives. */
    void watch(Member victim) {
        watch.watch(victim.slot());
    }

    /** Removes a member that has died, without a measurement. */
    void remove(Member dead) {
        dead.process().exitCode(START_SECONDS);
        members.remove(dead);
    }

    /** Removes a watched member that is dying or dead, and measures how long the survivors wait. */
    void bury(Member victim, long asked) {
        long released = watch.awaitRelease();
        victim.process().exitCode(START_SECONDS);
        members.remove(victim);
        awaitProgress(members);
        LockSupport.parkNanos(20_000_000);
        watch.measure(asked, released, survivors());
    }

    private List<Survivor> survivors() {
        return members.stream()
                .map(member -> new Survivor(member.role() + " " + member.child().number(), member.progress()))
                .toList();
    }

    /** Waits until each member has made progress; fails with the name of a stuck member. */
    void awaitProgress(List<Member> who) {
        long now = System.nanoTime();
        for (Member member : who) {
            while (member.progress().lastNanos() - now < 0 || member.progress().lastNanos() == 0) {
                if (System.nanoTime() - now > STUCK_SECONDS * 1_000_000_000L) {
                    throw new AssertionError(
                            "stuck: " + member.role() + " " + member.child().number() + " at "
                                    + member.progress().done() + " messages for " + STUCK_SECONDS + " s");
                }
                if (!member.process().isAlive()) {
                    throw new AssertionError(
                            "died: " + member.role() + " " + member.child().number() + " with code "
                                    + member.process().exitCode(1) + ": " + errors(member));
                }
                LockSupport.parkNanos(1_000_000);
            }
        }
    }

    private String errors(Member member) {
        try {
            return Files.readString(reports.resolve(member.child().number() + ".err"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Lets writers finish, then tailers, which read to the end; returns all that they have reported. */
    History finish() {
        finish(Role.WRITER);
        finish(Role.TAILER);
        finish(Role.NAMED);
        return history();
    }

    private void finish(Role role) {
        List<Member> all =
                members.stream().filter(member -> member.role() == role).toList();
        all.forEach(member -> member.process().say("finish"));
        all.forEach(member -> {
            member.process().expect("DONE", START_SECONDS);
            member.process().exitCode(START_SECONDS);
        });
    }

    History history() {
        History history = new History();
        writers.forEach(writer -> history.writer(
                writer.child().number(),
                new History.Acknowledged(
                        writer.progress().done(), writer.progress().intended())));
        tailers.values()
                .forEach(generations -> history.tailer(generations.stream()
                        .filter(child -> Files.exists(child.seen()))
                        .flatMap(child -> History.seen(child.seen()).stream())
                        .toList()));
        named.forEach((name, readings) -> history.succession(new Succession(name, readings)));
        return history;
    }

    /** Returns how many claims of dead writers the processes have found. */
    long recoveredClaims() {
        return counter(LogCounter.RECOVERED_CLAIMS);
    }

    /** Returns the sum that all processes of the queue have counted, including dead ones. */
    long counter(LogCounter counter) {
        return Log.readCounters(queue).getOrDefault(counter, 0L);
    }

    /** Returns how many files of dropped segments were poisoned. */
    long poisoned() {
        try {
            return Files.size(Child.poisoned(reports));
        } catch (IOException e) {
            return 0; // the file does not exist yet
        }
    }

    @Override
    public void close() {
        pace.interrupt();
        everybody.forEach(ChildProcess::close);
        watch.close();
    }
}
