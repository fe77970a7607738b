package dev.larder.tests.crash;

import dev.larder.tests.crash.Progress.Kind;
import dev.larder.tests.crash.Progress.Span;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Sees when the kernel frees the lock of a dying process that has a log open, and how long the others wait after that. */
final class DeathWatch implements AutoCloseable {

    /** A process that continues. */
    record Survivor(String name, Progress progress) {}

    /**
     * A death: the time until the kernel freed the lock, the longest wait of a survivor after that, the time for which the
     * scheduler kept survivors' threads from running meanwhile, and the name of the waiting survivor.
     */
    record Death(long releaseNanos, long waitNanos, long noiseNanos, String who) {}

    private static final long SECONDS = 120;
    private static final long SLOT_TABLE = 12288;
    private static final long SLOT_BYTES = 128;
    private static final int SLOTS = 1024;
    private static final int LIVE = 16;
    private static final long WINDOW_NANOS = 300_000_000;

    private final Path log;
    private final ChildProcess probe;
    private final long[] generations = new long[SLOTS];
    private final List<Death> deaths = new ArrayList<>();
    private final List<Death> undisturbed = new ArrayList<>();

    DeathWatch(Path log, Path errors) {
        this.log = log;
        this.probe = ChildProcess.start(LockProbe.class, errors, List.of());
    }

    List<Death> deaths() {
        return deaths;
    }

    /** Returns measurements of moments at which no process died: the waits that the load itself causes. */
    List<Death> undisturbed() {
        return undisturbed;
    }

    /** Returns the slot whose generation has changed since the last look; -1 if there is none. */
    int freshSlot() {
        int fresh = -1;
        try (FileChannel channel = FileChannel.open(log.resolve("log.ctl"), StandardOpenOption.READ);
                Arena arena = Arena.ofConfined()) {
            MemorySegment table = channel.map(FileChannel.MapMode.READ_ONLY, SLOT_TABLE, SLOTS * SLOT_BYTES, arena);
            for (int slot = 0; slot < SLOTS; slot++) {
                long generation = table.get(ValueLayout.JAVA_LONG, slot * SLOT_BYTES);
                if (generation != generations[slot]) {
                    generations[slot] = generation;
                    fresh = slot;
                }
            }
            return fresh;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Begins to watch the LIVE byte of a slot; the byte stays locked while its process lives. */
    void watch(int slot) {
        probe.say(log.resolve("log.lck") + " " + (LIVE + slot));
    }

    /** Waits until the watched byte is free; returns when that was. */
    long awaitRelease() {
        return Long.parseLong(probe.line(SECONDS).substring("FREE ".length()));
    }

    /** Records a death, with the survivor that has waited longest, apart from the scheduler's delays. */
    void measure(long asked, long released, List<Survivor> survivors) {
        longest(released - asked, released, survivors).ifPresent(deaths::add);
    }

    /** Records the same for a moment at which no process has died. */
    void measureUndisturbed(long since, List<Survivor> all) {
        longest(0, since, all).ifPresent(undisturbed::add);
    }

    private Optional<Death> longest(long release, long released, List<Survivor> survivors) {
        return survivors.stream()
                .map(survivor -> waitOf(survivor, release, released, survivors))
                .max((a, b) -> Long.compare(a.waitNanos() - a.noiseNanos(), b.waitNanos() - b.noiseNanos()));
    }

    private Death waitOf(Survivor survivor, long release, long released, List<Survivor> survivors) {
        Span longest = new Span(released, released);
        for (Span gap : survivor.progress().spans(Kind.GAP)) {
            long start = Math.max(gap.start(), released);
            if (gap.end() > start
                    && start < released + WINDOW_NANOS
                    && gap.end() - start > longest.end() - longest.start()) {
                longest = new Span(start, gap.end());
            }
        }
        String who = survivor.name() + " in " + log;
        return new Death(release, longest.end() - longest.start(), noise(longest, survivors), who);
    }

    /** Returns the total time within a span for which survivors' threads could have run but were not let run. */
    private static long noise(Span within, List<Survivor> survivors) {
        return Math.max(sum(Kind.HICCUP, within, survivors), sum(Kind.DELAY, within, survivors));
    }

    private static long sum(Kind kind, Span within, List<Survivor> survivors) {
        return survivors.stream()
                .flatMap(survivor -> survivor.progress().spans(kind).stream())
                .mapToLong(span -> Math.min(span.end(), within.end()) - Math.max(span.start(), within.start()))
                .map(length -> Math.max(length, 0))
                .sum();
    }

    @Override
    public void close() {
        probe.close();
    }
}
