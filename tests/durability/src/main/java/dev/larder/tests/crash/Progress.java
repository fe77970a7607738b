package dev.larder.tests.crash;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * The progress of a process, in a mapped file outside the queue, which outlives the process, whatever kills it.
 *
 * <pre>
 * 0    | done | intended | last progress, ns | counts of the three lists | position | pause |
 * 4096 | gaps: pauses in progress | hiccups: pauses of an idle thread | recoveries | delays |   each start, end in ns
 *                                        delays: how long the working thread could run in a gap, and was not let run
 * </pre>
 *
 * Times are {@code System.nanoTime}, which on Linux is one clock for all processes of a boot.
 */
public final class Progress {

    /** A stretch of time in nanoseconds. */
    public record Span(long start, long end) {}

    /** The lists of spans. */
    public enum Kind {
        GAP(0),
        HICCUP(1),
        RECOVERY(2),
        DELAY(3);

        private final long place;

        Kind(long place) {
            this.place = place;
        }

        private long count() {
            return COUNTS + place * 8;
        }

        private long span(long index) {
            return LISTS + (place * ENTRIES + index % ENTRIES) * 16;
        }
    }

    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG;
    private static final VarHandle WORDS = WORD.varHandle();
    private static final long DONE = 0;
    private static final long INTENDED = 64;
    private static final long LAST = 128;
    private static final long COUNTS = 192;
    private static final long POSITION = 256;
    private static final long PAUSE = 320;
    private static final long LISTS = 4096;
    private static final long ENTRIES = 4096;
    private static final long SIZE_BYTES = LISTS + 4 * ENTRIES * 16;
    private static final int PAUSES_MAX = 100;
    private static final long WORTH_NANOS = 2_000_000;

    private static final long SAMPLE_NANOS = 5_000_000;

    private final MemorySegment memory;
    private final RunDelay runDelay = new RunDelay();
    private long sampledAt;
    private long sampledDelay;

    /** Opens, or makes, a file. */
    public Progress(Path file) {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, SIZE_BYTES, Arena.ofAuto());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Records how far the next append will bring {@link #done}, before it begins. */
    public void intend(long done) {
        WORDS.setRelease(memory, INTENDED, done);
    }

    /** Records how many messages are done: acknowledged, or read. For one thread. */
    public void done(long done) {
        long now = System.nanoTime();
        long last = memory.get(WORD, LAST);
        WORDS.setRelease(memory, DONE, done);
        if (last != 0) {
            add(Kind.GAP, last, now);
            sampleDelay(now, now - last);
        }
        WORDS.setRelease(memory, LAST, now);
    }

    private void sampleDelay(long now, long gap) {
        if (gap >= WORTH_NANOS || now - sampledAt >= SAMPLE_NANOS) {
            long delay = runDelay.nanos();
            if (gap >= WORTH_NANOS) {
                add(Kind.DELAY, now - Math.min(gap, delay - sampledDelay), now);
            }
            sampledDelay = delay;
            sampledAt = now;
        }
    }

    /** Records the position of the process in the queue. */
    public void position(long position) {
        WORDS.setRelease(memory, POSITION, position);
    }

    public long position() {
        return (long) WORDS.getAcquire(memory, POSITION);
    }

    /** Asks the process for a short pause, or ends it. */
    public void askForPause(boolean pause) {
        long asked = pause ? 1 : 0;
        WORDS.setRelease(memory, PAUSE, asked);
    }

    /** Pauses while a pause is asked for, but not for long; a pause is no gap. For one thread. */
    void pauseIfAsked() {
        for (int i = 0; i < PAUSES_MAX && (long) WORDS.getAcquire(memory, PAUSE) != 0; i++) {
            LockSupport.parkNanos(100_000);
            WORDS.setRelease(memory, LAST, System.nanoTime());
        }
    }

    public long done() {
        return (long) WORDS.getAcquire(memory, DONE);
    }

    public long intended() {
        return (long) WORDS.getAcquire(memory, INTENDED);
    }

    public long lastNanos() {
        return (long) WORDS.getAcquire(memory, LAST);
    }

    /** Records a span of 2 ms or more, or a recovery of any length. For one thread per kind. */
    void add(Kind kind, long start, long end) {
        if (kind != Kind.RECOVERY && end - start < WORTH_NANOS) {
            return;
        }
        long count = memory.get(WORD, kind.count());
        long at = kind.span(count);
        memory.set(WORD, at, start);
        memory.set(WORD, at + 8, end);
        WORDS.setRelease(memory, kind.count(), count + 1);
    }

    /** Returns the last 4096 spans of a kind. */
    public List<Span> spans(Kind kind) {
        long count = Math.min(ENTRIES, (long) WORDS.getAcquire(memory, kind.count()));
        List<Span> spans = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            long at = kind.span(i);
            spans.add(new Span(memory.get(WORD, at), memory.get(WORD, at + 8)));
        }
        return spans;
    }

    /** Starts the thread that measures how long this process, or this machine, keeps an idle thread waiting. */
    void watchHiccups() {
        Thread.ofPlatform().daemon().name("hiccups").start(() -> {
            while (!Thread.interrupted()) {
                long start = System.nanoTime();
                LockSupport.parkNanos(1_000_000);
                add(Kind.HICCUP, start, System.nanoTime());
            }
        });
    }
}
