package dev.larder.map.shared;

import static dev.larder.map.format.IndexFileLayout.LINES;
import static dev.larder.map.format.IndexFileLayout.LINE_BYTES;

import dev.larder.log.LogBusyException;
import dev.larder.log.layer.ThreadStack;
import dev.larder.map.format.IndexFileLayout;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The threads of all processes that are inside the map just now. No page is allocated again, and no file used again, while
 * one of them may still look at it.
 *
 * <pre>
 *  pin      line: 0 to generation and epoch (compare-and-set)   then look at the directory
 *  retire   take the page out of the directory                  then note the epoch, and raise it
 *  reuse    when each line is 0, or above the epoch noted, or its process is dead
 * </pre>
 *
 * A thread that pins after that does not find the page. Each process has lines of its own, so a stopped process takes none
 * from the others. A line of a dead process does not count: no more stores of that process can follow.
 *
 * <p>A pin never waits for another. A thread has a line to itself as long as one is free, and otherwise joins a crowd. A
 * crowd is a line that several threads hold, at the epoch of the first of them, until the last has left. A crowd admits only
 * threads of its own epoch, so that it ends. Only if all crowds are in use, at earlier epochs, the youngest admits more.
 */
public final class Epochs {

    private static final long EPOCH = (1L << 48) - 1;
    private static final int GENERATION_SHIFT = 48;
    private static final long NOWHERE = -1;

    /** How many lines are held by several threads each, once the others are all taken. */
    public static final int CROWDS = 16;

    private static final int OWN_LINES = LINES - CROWDS;
    private static final long PAUSE_NANOS = 20_000;
    private static final long LOOK_NANOS = 20_000_000;
    private static final String PACKAGE = "dev.larder.map."; // and the packages below it
    private static final long PATIENCE_NANOS = 10_000_000_000L;

    private final Processes processes;
    private final MemorySegment memory;
    private final long epochAt;
    private final long linesAt;
    private final long own;
    private final long mark;
    private final long patienceNanos;

    /** The threads in each crowd; null for a pin that is kept beyond its method. Guarded by itself. */
    private final List<List<@Nullable Thread>> crowds = IntStream.range(0, CROWDS)
            .<List<@Nullable Thread>>mapToObj(crowd -> new ArrayList<>())
            .toList();

    /**
     * The thread that has pinned each line, as long as the method that pinned it runs; null for a line that is kept beyond
     * that. Set after the line is taken, and cleared before the line is given back.
     */
    private final @Nullable Thread[] holders = new Thread[LINES];

    private final AtomicLong lastLookNanos = new AtomicLong(System.nanoTime());
    private volatile boolean ended;

    private Epochs(IndexFile file, Processes processes, long epochAt, long linesAt, long patienceNanos) {
        this.processes = processes;
        this.memory = file.memory();
        this.epochAt = epochAt;
        this.linesAt = linesAt;
        this.own = IndexFileLayout.area(processes.slot()) + linesAt;
        this.mark = (long) (processes.owner() & 0xFFFF) << GENERATION_SHIFT;
        this.patienceNanos = patienceNanos;
        Words.raise(memory, epochAt, 1);
    }

    /** Returns the epochs of threads that change entries. */
    public static Epochs ofChanges(IndexFile file, Processes processes) {
        return ofChanges(file, processes, PATIENCE_NANOS);
    }

    /** Returns the same, which wait for another process at most {@code patienceNanos}. */
    public static Epochs ofChanges(IndexFile file, Processes processes, long patienceNanos) {
        return new Epochs(file, processes, IndexFileLayout.CHANGE_EPOCH, IndexFileLayout.CHANGES, patienceNanos);
    }

    /** Returns the epochs of threads that read records in place. */
    public static Epochs ofReads(IndexFile file, Processes processes) {
        return new Epochs(file, processes, IndexFileLayout.READ_EPOCH, IndexFileLayout.READS, PATIENCE_NANOS);
    }

    /** Returns a line that the caller holds until {@link #unpin}; -1 once no thread of this process may change anything. */
    public int pin() {
        int line = pinAnyway();
        if (ended) {
            unpin(line);
            return -1;
        }
        return line;
    }

    /** Pins even if changes have ended, for a thread that only reads. */
    public int pinAnyway() {
        Thread self = Thread.currentThread();
        long word = mark | Words.getVolatile(memory, epochAt);
        int line = (int) (Thread.currentThread().threadId() % OWN_LINES);
        int tries = 0;
        while (!Words.compareAndSet(memory, at(line), 0, word)) {
            line = (line + 1) % OWN_LINES;
            if (++tries == OWN_LINES) {
                return isLookDue() && releaseLeft(advance()) ? pinAnyway() : joinCrowd();
            }
        }
        holders[line] = self;
        return line;
    }

    private long at(int line) {
        return own + (long) line * LINE_BYTES;
    }

    private int joinCrowd() {
        synchronized (crowds) {
            long word = mark | Words.getVolatile(memory, epochAt);
            int crowd = crowdFor(word);
            if (crowds.get(crowd).isEmpty()) {
                Words.setVolatile(memory, at(OWN_LINES + crowd), word);
            }
            crowds.get(crowd).add(Thread.currentThread());
            return OWN_LINES + crowd;
        }
    }

    /** Returns the crowd of an epoch, else an empty one, else the youngest. */
    private int crowdFor(long word) {
        long wanted = 2 * (word & EPOCH);
        int best = 0;
        long bestRank = -1;
        for (int crowd = 0; crowd < CROWDS; crowd++) {
            long rank = crowds.get(crowd).isEmpty()
                    ? wanted - 1
                    : 2 * (Words.getPlain(memory, at(OWN_LINES + crowd)) & EPOCH);
            if (rank > bestRank) {
                best = crowd;
                bestRank = rank;
            }
        }
        return best;
    }

    private void leaveCrowd(int line) {
        synchronized (crowds) {
            List<@Nullable Thread> crowd = crowds.get(line - OWN_LINES);
            if (!crowd.remove(Thread.currentThread()) && !crowd.remove(null)) {
                crowd.removeLast(); // pinned by another thread
            }
            endIfEmpty(line, crowd);
        }
    }

    private void endIfEmpty(int line, List<@Nullable Thread> crowd) {
        if (crowd.isEmpty()) {
            Words.setRelease(memory, at(line), 0);
        }
    }

    /** Keeps a line pinned beyond the method that has pinned it. */
    public void keep(int line) {
        holders[line] = null;
        if (line >= OWN_LINES) {
            synchronized (crowds) {
                Collections.replaceAll(crowds.get(line - OWN_LINES), Thread.currentThread(), null);
            }
        }
    }

    /** Gives a line back. If an error of the JVM intervenes, the line stays this thread's until the thread has left the map. */
    public void unpin(int line) {
        Thread self = Thread.currentThread();
        holders[line] = null;
        try {
            if (line < OWN_LINES) {
                Words.setRelease(memory, at(line), 0);
            } else {
                leaveCrowd(line);
            }
        } catch (Throwable e) {
            holders[line] = self; // a store and no call: the stack may have no room for one
            throw e;
        }
    }

    /**
     * Does the same for a thread that only reads. If the map was closed meanwhile, the line is gone, and so are the threads
     * that could wait for it.
     */
    public void unpinAnyway(int line) {
        try {
            unpin(line);
        } catch (IllegalStateException e) {
            // its memory was given back
        }
    }

    /** Ends the current epoch and returns it. A thread that pins from now on sees everything that was stored before. */
    public long advance() {
        return Words.getAndAdd(memory, epochAt, 1);
    }

    /** Returns whether all threads that pinned in an epoch or before have left, or are dead. */
    public boolean hasPassed(long epoch) {
        return slotInside(epoch, NOWHERE) < 0;
    }

    /** Returns whether all threads of this process that pinned in an epoch or before have left. */
    public boolean haveOwnPassed(long epoch) {
        return !isInside(processes.slot(), epoch, NOWHERE);
    }

    /** Returns the slot of a process that is inside since an epoch or before, ignoring one line; -1 if there is none. */
    private int slotInside(long epoch, long except) {
        int slots = processes.slots();
        for (int slot = 0; slot < slots; slot++) {
            if (processes.isEntered(slot) && isInside(slot, epoch, except)) {
                return slot;
            }
        }
        return -1;
    }

    private boolean isInside(int slot, long epoch, long except) {
        boolean inside = isAnyInside(slot, epoch, except);
        boolean looked = inside && slot == processes.slot() && isLookDue() && releaseLeft(epoch);
        return looked ? isAnyInside(slot, epoch, except) : inside;
    }

    /** Returns whether the last look at stacks is 20 ms ago; if so, this caller makes the next one. */
    private boolean isLookDue() {
        long last = lastLookNanos.get();
        long now = System.nanoTime();
        return now - last >= LOOK_NANOS && lastLookNanos.compareAndSet(last, now);
    }

    /**
     * Gives back the lines of this process that an error of the JVM, such as a stack overflow, has left pinned. The stacks of
     * their threads show no method of the map any more. Returns whether a line was given back.
     *
     * <p>A thread removes itself from {@link #holders} before it gives a line back. So a thread that is still listed there,
     * but outside the map, has not given its line back, and no other thread has the line. The epoch was ended before this
     * call. A line that is taken after its thread's stack was looked at carries a later epoch, and stays.
     */
    private boolean releaseLeft(long epoch) {
        boolean released = releaseLeftCrowds();
        for (int line = 0; line < OWN_LINES; line++) {
            long at = at(line);
            long word = Words.getVolatile(memory, at);
            Thread holder = holders[line];
            if (word != 0
                    && (word & EPOCH) <= epoch
                    && holder != null
                    && !isInMap(holder)
                    && holder.equals(holders[line])) {
                released |= Words.compareAndSet(memory, at, word, 0);
            }
        }
        return released;
    }

    /** No thread joins or leaves a crowd meanwhile, so a thread that is outside the map now has left its pins behind. */
    private boolean releaseLeftCrowds() {
        boolean released = false;
        synchronized (crowds) {
            for (int crowd = 0; crowd < CROWDS; crowd++) {
                List<@Nullable Thread> inside = crowds.get(crowd);
                released |= inside.removeIf(thread -> thread != null && !isInMap(thread));
                endIfEmpty(OWN_LINES + crowd, inside);
            }
        }
        return released;
    }

    private static boolean isInMap(Thread thread) {
        return ThreadStack.mayBeInside(thread, name -> name.startsWith(PACKAGE));
    }

    private boolean isAnyInside(int slot, long epoch, long except) {
        long lines = IndexFileLayout.area(slot) + linesAt;
        for (long line = lines; line < lines + (long) LINES * LINE_BYTES; line += LINE_BYTES) {
            long word = Words.getVolatile(memory, line);
            boolean early = word != 0 && (word & EPOCH) <= epoch && line != except;
            if (early && processes.isAlive((slot << 16) | (int) (word >>> GENERATION_SHIFT))) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether no thread of any process is inside, except the one that holds a line of this process. */
    public boolean isAlone(int line) {
        return line < OWN_LINES && slotInside(EPOCH, at(line)) < 0;
    }

    /** Ends {@link #pin} for this process, and waits until all of its threads that are inside have left. */
    public void end() {
        ended = true; // before the lines are read, as a thread takes a line before it reads this: one sees the other
        long epoch = advance();
        while (!haveOwnPassed(epoch)) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /**
     * Waits until all threads of all processes that are inside now have left.
     *
     * @throws LogBusyException if another process stays inside for 10 s, because it is stopped
     */
    public void awaitOthers() {
        awaitAll(Long.MAX_VALUE, patienceNanos);
    }

    /**
     * Does the same, but waits at most {@code nanos}.
     *
     * @throws LogBusyException if a thread of this process or another one stays inside for longer
     */
    public void awaitOthers(long nanos) {
        awaitAll(nanos, Math.min(nanos, patienceNanos));
    }

    private void awaitAll(long ownNanos, long otherNanos) {
        long epoch = advance();
        long start = System.nanoTime();
        int inside = slotInside(epoch, NOWHERE);
        while (inside >= 0) {
            long patience = inside == processes.slot() ? ownNanos : otherNanos;
            if (System.nanoTime() - start > patience) {
                throw new LogBusyException(processes.describe(inside)
                        + " has been in the middle of a change of the map for more than " + patience / 1_000_000
                        + " ms; is it stopped?");
            }
            LockSupport.parkNanos(PAUSE_NANOS);
            inside = slotInside(epoch, NOWHERE);
        }
    }
}
