package dev.larder.map.index;

import static dev.larder.map.format.IndexFileLayout.STEPS;
import static dev.larder.map.format.IndexFileLayout.UNIT_BYTES;
import static dev.larder.map.format.IndexFileLayout.UNIT_STEPS;

import dev.larder.map.format.IndexFileLayout;
import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.format.PageState;
import dev.larder.map.shared.Epochs;
import dev.larder.map.shared.IndexFile;
import dev.larder.map.shared.IndexFullException;
import dev.larder.map.shared.Processes;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.IntPredicate;
import java.util.function.LongPredicate;

/**
 * The pages of the index, 64 KiB each, numbered from 0 on and shared by all processes.
 *
 * <p>A page that was rebuilt is allocated again once no thread can look at it to change it ({@link Epochs}). A thread without
 * a pin may still read it: every word is stored whole, and readers check the directory afterwards.
 *
 * <p>The states of the pages ({@link PageState}) say which are free. A process remembers the pages that it has left itself.
 * Before it allocates more memory, it searches the pages of the others if processes have gone since its last search.
 */
public final class IndexMemory {

    /** How many unneeded pages keep their memory at least: one unit. */
    private static final int SPARES_LEAST = UNIT_STEPS;

    private final IndexFile file;
    private final MemorySegment memory;
    private final Processes processes;
    private final Epochs epochs;
    private final Deque<Integer> known = new ArrayDeque<>();
    private IntPredicate isNeeded = step -> true;
    private long seenDepartures;

    public IndexMemory(IndexFile file, Processes processes, Epochs epochs) {
        this.file = file;
        this.memory = file.memory();
        this.processes = processes;
        this.epochs = epochs;
    }

    /** Sets the test whether a page is in the directory, or about to be. */
    void ask(IntPredicate needed) {
        isNeeded = needed;
    }

    /** Returns the memory that a page lies in, from {@link #base} on. */
    public MemorySegment memory(int step) {
        assert step < stepsEver() : step;
        return memory;
    }

    /** Returns the memory that all pages lie in. */
    public MemorySegment memory() {
        return memory;
    }

    public static long base(int step) {
        return IndexFileLayout.step(step);
    }

    /**
     * Returns a page of zeros that no other thread knows of. The caller is pinned, unless no other thread has the index yet.
     *
     * @throws IndexFullException if there is none, and no memory for one
     */
    public synchronized int allocate() {
        int step = takeKnown();
        if (step < 0) {
            step = takeNew();
        } else {
            clear(step);
        }
        return step;
    }

    /**
     * Takes {@code count} pages or none, before a change that cannot be undone. Closing the result gives back the unused
     * pages.
     *
     * @throws IndexFullException if there is no memory for them
     */
    TakenSteps take(int count) {
        TakenSteps taken = new TakenSteps(this, count);
        try {
            for (int i = 0; i < count; i++) {
                taken.add(allocate());
            }
            return taken;
        } catch (RuntimeException | Error e) {
            taken.close();
            throw e;
        }
    }

    /** Takes a page that was left long enough ago; -1 if this process knows of none. */
    private int takeKnown() {
        while (!known.isEmpty()) {
            int step = known.getFirst();
            long state = state(step);
            if (PageState.isLeft(state) && !epochs.hasPassed(PageState.epoch(state))) {
                return -1; // the others were left later
            }
            known.removeFirst();
            if (PageState.isLeft(state) && change(step, state, PageState.made(processes.owner()))) {
                askAgain(step, state);
                return step;
            }
        }
        return -1;
    }

    private void askAgain(int step, long state) {
        if (PageState.isBare(state)) {
            try {
                file.back(base(step), IndexPageLayout.BYTES);
            } catch (IndexFullException e) {
                change(step, PageState.made(processes.owner()), PageState.BARE);
                known.addLast(step);
                throw e;
            }
        }
    }

    private int takeNew() {
        while (true) {
            int step = stepsEver();
            if (step % UNIT_STEPS == 0) {
                if (collect()) {
                    int found = takeKnown();
                    if (found >= 0) {
                        clear(found);
                        return found;
                    }
                }
                backUnit(step);
            }
            if (change(step, PageState.NEVER, PageState.made(processes.owner()))) {
                Words.raise(memory, STEPS, step + 1L);
                return step;
            }
            Words.raise(memory, STEPS, step + 1L); // the process that took it may have died before this store
        }
    }

    /** Throws if there is no memory for {@code steps} more pages, which so many entries need; takes none. */
    void requireRoom(long steps, long entries) {
        long bytes = steps * IndexPageLayout.BYTES;
        long left = Math.min(file.usableBytes(), (file.stepsMax() - (long) stepsEver()) * IndexPageLayout.BYTES);
        if (bytes > left) {
            throw new IndexFullException(file.path() + ": no room for " + bytes
                    + " bytes more of the map's index; nothing was changed: " + entries + " entries need them, and "
                    + left + " bytes are left");
        }
    }

    /** Allocates the memory of a unit of pages, and of their states; other processes may have done so. */
    private void backUnit(int step) {
        if (step + UNIT_STEPS > file.stepsMax()) {
            throw new IndexFullException(
                    file.path() + ": no room for more than " + step + " pages of the map's index; nothing was changed");
        }
        file.back(IndexFileLayout.state(step), 8L * UNIT_STEPS);
        file.backLarge(IndexFileLayout.step(step), UNIT_BYTES);
    }

    private void clear(int step) {
        long base = base(step);
        for (long at = base; at < base + IndexPageLayout.BYTES; at += 8) {
            Words.setOpaque(memory, at, 0);
        }
    }

    private long state(int step) {
        return Words.getVolatile(memory, IndexFileLayout.state(step));
    }

    private boolean change(int step, long from, long to) {
        return Words.compareAndSet(memory, IndexFileLayout.state(step), from, to);
    }

    private int free(int step) {
        boolean mine = change(step, PageState.made(processes.owner()), PageState.FREE);
        assert mine : step;
        return step;
    }

    /** Takes back a page that no other thread has ever known of. */
    synchronized void giveBack(int step) {
        known.addFirst(free(step));
    }

    /**
     * Records that a page is in the directory, or about to be, whichever thread made it. A thread that did not make the page
     * records this before it puts it there. The caller is pinned.
     */
    public void use(int step) {
        long state = state(step);
        if (PageState.isMade(state)) {
            change(step, state, PageState.USED);
        }
    }

    /**
     * Takes back a page that left the directory before the call. The caller is pinned. The process that loaded the page may
     * have died before it recorded the page as used.
     */
    public void retire(int step) {
        long state = state(step);
        if (!PageState.isLeft(state) && change(step, state, PageState.left(epochs.advance()))) {
            synchronized (this) {
                known.addLast(step);
            }
        }
    }

    /** Releases the memory of unneeded pages, except for a quarter as many as are in use. */
    public synchronized void giveBackMemory() {
        int most = Math.max(SPARES_LEAST, count(memory, PageState::isUsed) / 4);
        for (int tries = known.size() - most; tries > 0; tries--) {
            int step = known.removeFirst();
            long state = state(step);
            if (!PageState.isLeft(state)) {
                continue; // another process has found it
            }
            known.addLast(step);
            if (!PageState.isBare(state) && epochs.hasPassed(PageState.epoch(state))) {
                giveBackMemory(step, state);
            }
        }
    }

    private void giveBackMemory(int step, long state) {
        if (change(step, state, PageState.made(processes.owner()))) {
            boolean given = file.giveBack(base(step), IndexPageLayout.BYTES);
            change(step, PageState.made(processes.owner()), given ? PageState.BARE : PageState.FREE);
        }
    }

    /**
     * Looks for pages of processes that have gone: pages that they had left, made, or taken out and not yet left. Returns
     * whether there may be any.
     */
    private boolean collect() {
        processes.takeOutDead();
        long departures = processes.departures();
        boolean any = departures != seenDepartures;
        seenDepartures = departures;
        for (int step = 0; any && step < stepsEver(); step++) {
            collect(step, state(step));
        }
        return any;
    }

    private void collect(int step, long state) {
        if (PageState.isMade(state) && !processes.isAlive(PageState.owner(state)) && !isNeeded.test(step)) {
            change(step, state, PageState.leftBare(epochs.advance())); // it may have been in the directory
        } else if (PageState.isUsed(state) && !isNeeded.test(step)) {
            change(step, state, PageState.left(epochs.advance()));
        }
        long now = state(step);
        if (PageState.isLeft(now) && epochs.hasPassed(PageState.epoch(now))) {
            known.addFirst(step);
        } else if (PageState.isLeft(now)) {
            known.addLast(step);
        }
    }

    private int stepsEver() {
        return (int) Words.getVolatile(memory, STEPS);
    }

    /** Returns the bytes that were allocated. */
    public long bytes() {
        return bytes(memory);
    }

    /** Returns the same for the memory of a file. */
    public static long bytes(MemorySegment memory) {
        long units = (Words.getVolatile(memory, STEPS) + UNIT_STEPS - 1L) / UNIT_STEPS;
        long bare = count(memory, PageState::isBare);
        int slots = (int) Words.getVolatile(memory, IndexFileLayout.PROCESS_SLOTS);
        long areas = 0;
        for (int slot = 0; slot < slots; slot++) {
            areas += Processes.isBacked(memory, slot) ? IndexFileLayout.AREA_BYTES : 0;
        }
        return units * (UNIT_BYTES + 8L * UNIT_STEPS) - bare * IndexPageLayout.BYTES + areas + (2L << 16);
    }

    /** Returns how many pages are in use, or wait to be allocated again. */
    public int steps() {
        return count(memory, state -> state != PageState.FREE && !PageState.isBare(state));
    }

    private static int count(MemorySegment memory, LongPredicate state) {
        int count = 0;
        int steps = (int) Words.getVolatile(memory, STEPS);
        for (int step = 0; step < steps; step++) {
            count += state.test(Words.getVolatile(memory, IndexFileLayout.state(step))) ? 1 : 0;
        }
        return count;
    }
}
