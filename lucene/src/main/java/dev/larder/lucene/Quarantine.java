package dev.larder.lucene;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Memory of deleted files, kept from other files for a while. A thread may pass the check of its {@link Opening} just before
 * another thread closes it. It then reads its own file's bytes or zeros, never another file's bytes.
 *
 * <pre>
 * file is gone -- {@link #TIME} --> given back, oldest first
 * </pre>
 *
 * <p>The time must be longer than any thread can pause between the check and the read. No pause of a collector or a scheduler
 * that a search survives is as long.
 *
 * @param <T> a piece of memory
 */
final class Quarantine<T> {

    /** How long a piece is kept. */
    static final Duration TIME = Duration.ofSeconds(10);

    private record Kept<T>(T piece, long untilNanos) {}

    private final Deque<Kept<T>> kept = new ArrayDeque<>(); // guarded by this
    private final Consumer<T> giving;
    private final LongSupplier nanoTime;

    /**
     * An empty quarantine.
     *
     * @param giving receives each piece that was kept long enough
     * @param nanoTime returns the time, as {@link System#nanoTime}
     */
    Quarantine(Consumer<T> giving, LongSupplier nanoTime) {
        this.giving = giving;
        this.nanoTime = nanoTime;
    }

    /** Keeps a piece from now on. */
    synchronized void keep(T piece) {
        kept.addLast(new Kept<>(piece, nanoTime.getAsLong() + TIME.toNanos()));
    }

    /** Gives back the pieces that were kept long enough. */
    synchronized void giveBack() {
        long now = nanoTime.getAsLong();
        while (!kept.isEmpty() && kept.getFirst().untilNanos - now <= 0) {
            giving.accept(kept.removeFirst().piece);
        }
    }

    /** Returns how many pieces are kept. */
    synchronized int count() {
        return kept.size();
    }
}
