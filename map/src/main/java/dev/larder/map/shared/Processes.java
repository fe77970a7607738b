package dev.larder.map.shared;

import static dev.larder.map.format.IndexFileLayout.DEPARTURES;
import static dev.larder.map.format.IndexFileLayout.PROCESS_SLOTS;

import dev.larder.log.random.LogRecords;
import dev.larder.map.MapProcess;
import dev.larder.map.format.IndexFileLayout;
import dev.larder.memory.Words;
import java.lang.foreign.MemorySegment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/**
 * The processes that have a map open. Each has a record and an area in the shared memory, under the number of its slot in the
 * log. No other process stores to its area. The log tells which process is dead, by the owner that it gave the process: slot
 * and generation.
 *
 * <p>Nothing has to be undone for a dead process. A thread that is held up by what such a process holds checks this, and
 * ignores it. A new process in its slot begins with an empty area.
 */
public final class Processes {

    private final IndexFile file;
    private final MemorySegment memory;
    private final IntPredicate isAlive;
    private final int owner;
    private volatile boolean foundDead;

    private Processes(IndexFile file, IntPredicate isAlive, int owner) {
        this.file = file;
        this.memory = file.memory();
        this.isAlive = isAlive;
        this.owner = owner;
    }

    /**
     * Enters this process. It holds its slot of the log alone, so anything in its area was left by a dead process.
     *
     * @throws IndexFullException if there is no room for its area
     */
    public static Processes enter(IndexFile file, LogRecords records) {
        return enter(file, records.owner(), records::isAlive);
    }

    public static Processes enter(IndexFile file, int owner, IntPredicate isAlive) {
        Processes all = new Processes(file, isAlive, owner);
        all.takeSlot();
        return all;
    }

    private void takeSlot() {
        int slot = owner >>> 16;
        long area = IndexFileLayout.area(slot);
        file.back(area, IndexFileLayout.AREA_BYTES);
        long record = IndexFileLayout.process(slot);
        boolean succeeding = Words.getVolatile(memory, record + IndexFileLayout.OWNER) != 0;
        for (long line = area; line < area + IndexFileLayout.STRIPES_AT; line += IndexFileLayout.LINE_BYTES) {
            Words.setVolatile(memory, line, 0);
        }
        Words.setPlain(
                memory, record + IndexFileLayout.PID, ProcessHandle.current().pid());
        Words.setPlain(memory, record + IndexFileLayout.SINCE, System.currentTimeMillis());
        Words.setPlain(memory, record + IndexFileLayout.DROPPED_BYTES, 0);
        Words.setRelease(memory, record + IndexFileLayout.BACKED, 1);
        Words.setVolatile(memory, record + IndexFileLayout.OWNER, Integer.toUnsignedLong(owner));
        Words.raise(memory, PROCESS_SLOTS, slot + 1L);
        if (succeeding) {
            foundDead = true;
            Words.getAndAdd(memory, DEPARTURES, 1);
        }
    }

    /** Takes this process out. None of its threads is inside. */
    public void leave() {
        Words.setVolatile(memory, IndexFileLayout.process(owner >>> 16) + IndexFileLayout.OWNER, 0);
        Words.getAndAdd(memory, DEPARTURES, 1);
    }

    /** Returns the owner of this process: its slot in the upper 16 bits, the low bits of its generation in the lower 16. */
    public int owner() {
        return owner;
    }

    int slot() {
        return owner >>> 16;
    }

    /** Returns the highest slot that was ever taken, plus one. */
    int slots() {
        return (int) Words.getVolatile(memory, PROCESS_SLOTS);
    }

    /** Returns whether a process, dead or alive, is entered in a slot. */
    boolean isEntered(int slot) {
        return owner(slot) != 0;
    }

    private long owner(int slot) {
        return Words.getVolatile(memory, IndexFileLayout.process(slot) + IndexFileLayout.OWNER);
    }

    /** Returns whether a slot was ever taken, so that its area can be read. */
    public boolean isBacked(int slot) {
        return isBacked(memory, slot);
    }

    /** Returns the same for the memory of a file. */
    public static boolean isBacked(MemorySegment memory, int slot) {
        return Words.getAcquire(memory, IndexFileLayout.process(slot) + IndexFileLayout.BACKED) != 0;
    }

    /** Returns whether a process may still be alive. */
    public boolean isAlive(int process) {
        return process == owner || isAlive.test(process);
    }

    /** Returns how many processes have left, or were found dead. After a change, threads look for what those processes held. */
    public long departures() {
        return Words.getVolatile(memory, DEPARTURES);
    }

    /** Returns whether no other process has had the map open since its index was made. */
    public boolean isFirstAndOnly() {
        int entered = 0;
        for (int slot = 0; slot < slots(); slot++) {
            entered += isBacked(slot) || isEntered(slot) ? 1 : 0;
        }
        return entered == 1 && departures() == 0;
    }

    /** Takes out the processes that have died. */
    public void takeOutDead() {
        for (int slot = 0; slot < slots(); slot++) {
            long entered = owner(slot);
            if (entered != 0
                    && !isAlive((int) entered)
                    && Words.compareAndSet(memory, IndexFileLayout.process(slot) + IndexFileLayout.OWNER, entered, 0)) {
                foundDead = true;
                Words.getAndAdd(memory, DEPARTURES, 1);
            }
        }
    }

    /** Returns whether this process has found another one dead since the last call. Only one thread calls this. */
    public boolean takeFoundDead() {
        boolean found = foundDead;
        if (found) {
            foundDead = false; // before the search: a process that is found dead meanwhile causes another search
        }
        return found;
    }

    /** Returns the living processes, including this one. */
    public List<MapProcess> living() {
        return entered(memory, this::isAlive);
    }

    /** Returns the processes that are entered in a file and that a test finds alive. */
    public static List<MapProcess> entered(MemorySegment memory, IntPredicate alive) {
        List<MapProcess> living = new ArrayList<>();
        int slots = (int) Words.getVolatile(memory, PROCESS_SLOTS);
        for (int slot = 0; slot < slots; slot++) {
            long record = IndexFileLayout.process(slot);
            long entered = Words.getVolatile(memory, record + IndexFileLayout.OWNER);
            if (entered != 0 && alive.test((int) entered)) {
                living.add(new MapProcess(
                        slot,
                        Words.getPlain(memory, record + IndexFileLayout.PID),
                        Instant.ofEpochMilli(Words.getPlain(memory, record + IndexFileLayout.SINCE))));
            }
        }
        return living;
    }

    /** Describes the process in a slot, for an error. */
    String describe(int slot) {
        return "process " + Words.getPlain(memory, IndexFileLayout.process(slot) + IndexFileLayout.PID) + " (slot "
                + slot + ")";
    }

    /** Records how many bytes this process has dropped and not freed. */
    public void droppedBytes(long bytes) {
        Words.setRelease(memory, IndexFileLayout.process(slot()) + IndexFileLayout.DROPPED_BYTES, bytes);
    }

    /** Returns how many bytes the entered processes have dropped and not freed. */
    public long droppedBytes() {
        long bytes = 0;
        for (int slot = 0; slot < slots(); slot++) {
            bytes += isEntered(slot)
                    ? Words.getAcquire(memory, IndexFileLayout.process(slot) + IndexFileLayout.DROPPED_BYTES)
                    : 0;
        }
        return bytes;
    }
}
