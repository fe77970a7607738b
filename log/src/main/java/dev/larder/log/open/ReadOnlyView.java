package dev.larder.log.open;

import dev.larder.log.InterruptedWaitException;
import dev.larder.log.LogBusyException;
import dev.larder.log.LogOptions;
import dev.larder.log.Position;
import dev.larder.log.format.ControlLayout;
import dev.larder.log.format.RecordWord;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.read.BlockedClaim;
import dev.larder.log.segment.ReadView;
import dev.larder.log.segment.Segment;
import dev.larder.log.segment.Segments;
import dev.larder.log.segment.StaleEnd;
import dev.larder.log.shared.ControlFile;
import dev.larder.log.shared.ControlFile.Ending;
import dev.larder.log.shared.ControlFile.State;
import dev.larder.log.shared.LiveProcesses;
import dev.larder.log.shared.LockFile;
import dev.larder.log.shared.MemoryIdentity;
import dev.larder.log.shared.Slots;
import dev.larder.memory.LarderException;
import dev.larder.memory.StorageException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The part of a log on which a read-only session may rely: up to where it may be read, and which claims will never be
 * committed.
 *
 * <pre>
 * a process has the log open              everything: that process has recovered it
 * no process has, memory is the same      everything: a process crashed, or the log was closed
 * no process has, otherwise               what {@link PowerLossRecovery} proves
 * never opened                            nothing: its creation was cut short
 * </pre>
 *
 * A process that opens or closes the log holds GATE while it changes the words for this. So the view checks GATE before and
 * after it reads them. It begins again where GATE was held, or where the words have changed.
 */
final class ReadOnlyView implements ReadView {

    private static final long GATE_WAIT_NANOS = 30_000_000_000L;
    private static final long PAUSE_NANOS = 200_000;

    /** The state from which the limit was found. */
    private record Basis(Optional<Ending> ending, boolean isOpen) {}

    private final Path directory;
    private final LogOptions options;
    private final ControlFile control;
    private final Segments segments;
    private final LiveProcesses processes;
    private Basis basis = new Basis(Optional.empty(), false);
    private volatile long limit;
    private long lookAtNanos;

    private ReadOnlyView(
            Path directory, LogOptions options, ControlFile control, Segments segments, LiveProcesses processes) {
        this.directory = directory;
        this.options = options;
        this.control = control;
        this.segments = segments;
        this.processes = processes;
    }

    /**
     * Returns the view of a log; waits for a process that is opening or closing it.
     *
     * @throws LogBusyException when that process holds the gate for more than 30 s
     * @throws StorageException when the creation of the log was cut short
     */
    static ReadOnlyView of(Path directory, LogOptions options, ControlFile control, Segments segments) {
        LiveProcesses processes = LiveProcesses.of(directory, HookedOptions.storage(options), control);
        try {
            ReadOnlyView view = new ReadOnlyView(directory, options, control, segments, processes);
            view.awaitLimit();
            return view;
        } catch (RuntimeException | Error e) {
            processes.close();
            throw e;
        }
    }

    /**
     * Returns where reading ends after a power loss from which no process has recovered the log; else a value above all
     * positions.
     */
    @Override
    public long limit() {
        return limit;
    }

    /**
     * Checks, once a millisecond at most, whether a process has recovered the log since. Returns whether more may be read now.
     */
    @Override
    public boolean raiseLimit() {
        return limit < Long.MAX_VALUE && lookAgain();
    }

    private synchronized boolean lookAgain() {
        long now = HookedOptions.storage(options).nanoTime();
        long before = limit;
        if (before < Long.MAX_VALUE && now - lookAtNanos >= 0) {
            tryToFindLimit();
            lookAtNanos = now + BlockedClaim.LOOK_NANOS;
        }
        return limit > before;
    }

    private synchronized void awaitLimit() {
        long deadline = HookedOptions.storage(options).nanoTime() + GATE_WAIT_NANOS;
        while (!tryToFindLimit()) {
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedWaitException("interrupted while another process opens or closes " + directory);
            }
            if (HookedOptions.storage(options).nanoTime() - deadline > 0) {
                throw new LogBusyException(directory.resolve(LockFile.FILE_NAME)
                        + ": another process has held the open-close lock for more than " + GATE_WAIT_NANOS / 1_000_000
                        + " ms; is it stopped?");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        lookAtNanos = HookedOptions.storage(options).nanoTime() + BlockedClaim.LOOK_NANOS;
    }

    /** Tries to find the limit; returns false where a process has opened or closed the log meanwhile. */
    private boolean tryToFindLimit() {
        Optional<Basis> found = stableBasis();
        if (found.isEmpty() || (found.get().equals(basis) && limit > 0)) {
            return found.isPresent();
        }
        OptionalLong end = limitBy(found.get());
        if (end.isEmpty() || !stableBasis().equals(found)) {
            return false;
        }
        basis = found.get();
        limit = end.getAsLong();
        return true;
    }

    private Optional<Basis> stableBasis() {
        if (processes.isGateHeld()) {
            return Optional.empty();
        }
        MemoryIdentity now = now();
        Optional<Ending> ending = control.ending(now);
        OptionalInt slot = processes.first();
        long generation = slot.isPresent() ? control.generationAcquire(slot.getAsInt()) : 0;
        boolean unchanged = !processes.isGateHeld() && control.ending(now).equals(ending);
        boolean lives = slot.isEmpty()
                || (processes.isAlive(slot.getAsInt()) && control.generationAcquire(slot.getAsInt()) == generation);
        return unchanged && lives ? Optional.of(new Basis(ending, slot.isPresent())) : Optional.empty();
    }

    /** Returns the limit; empty where an error may come from a process that has begun to change the log. */
    private OptionalLong limitBy(Basis seen) {
        if (seen.isOpen()) {
            return OptionalLong.of(Long.MAX_VALUE);
        }
        if (!control.wasOpened()) {
            throw new StorageException(directory + ": there is no log here yet: its creator died; open it for"
                    + " writing to complete it");
        }
        try {
            return OptionalLong.of(
                    mayBelieve(seen) ? believedEnd(seen) : new PowerLossRecovery(control, segments).end());
        } catch (LarderException e) {
            if (stableBasis().equals(Optional.of(seen))) {
                throw e;
            }
            return OptionalLong.empty();
        }
    }

    /** Returns whether the memory shows what was written: the log was closed, or there was no reboot or unmount since. */
    private boolean mayBelieve(Basis seen) {
        MemoryIdentity now = now();
        return seen.ending()
                .filter(left -> now.mayBeSameAs(left.memory())
                        || (left.state() == State.CLEAN
                                && left.durable() >= left.tail()
                                && !new StaleEnd(segments, control).isBefore(left.tail())))
                .isPresent();
    }

    /**
     * Returns where reading ends in a log that was left in order. There is no such end, except in a recycled file that may
     * have lost its zeros in a loss of power since.
     */
    private long believedEnd(Basis seen) {
        long end = seen.ending().map(Ending::tail).orElse(Long.MAX_VALUE);
        boolean same =
                seen.ending().filter(left -> now().mayBeSameAs(left.memory())).isPresent();
        Optional<Segment> tail = same ? Optional.empty() : segments.acquire(Position.segment(end));
        boolean recycled = tail.filter(Segment::isRecycled).isPresent();
        tail.ifPresent(segments::release);
        return recycled ? end : Long.MAX_VALUE;
    }

    private MemoryIdentity now() {
        return MemoryIdentity.of(HookedOptions.storage(options), directory);
    }

    /** Returns whether a process lives in a slot. */
    @Override
    public boolean isAlive(int slot) {
        return processes.isAlive(slot);
    }

    /**
     * Returns whether the writer of a RESERVED word is dead and left it for padding, so that a reader may pass it. This reads
     * the word again after the writer was found dead, since it may have been committed just before.
     *
     * <p>For a map's log only the map's processes can decide a dead writer's claim. So the claim stays as long as one of them
     * lives.
     */
    @Override
    public boolean isAbandoned(Segment segment, long offset, long word) {
        int owner = RecordWord.owner(word);
        int slot = owner >>> 16;
        if (slot >= ControlLayout.SLOT_COUNT) {
            return false; // damage: no writer leaves this
        }
        boolean dead = Slots.owner(slot, control.generationAcquire(slot)) != owner || !processes.isAlive(slot);
        return dead && segment.wordAcquire(offset) == word && !isKept(segment, offset, word);
    }

    private boolean isKept(Segment segment, long offset, long word) {
        boolean others = control.isLinked() && processes.first().isPresent();
        return others
                || HookedOptions.of(options)
                        .resolver()
                        .isWhole(
                                segment.view,
                                offset + RecordWord.BYTES,
                                RecordWord.length(word),
                                segment.position(offset));
    }

    @Override
    public void keepFiles() {
        processes.keepFiles();
    }

    @Override
    public void close() {
        processes.close();
    }
}
