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
 * The processes that have a map open: each has, under the number of its slot in the log, a record and an area of its own in
 * the shared memory, which nobody else stores to. Who is dead says the log, by the owner that it gave a process: slot and
 * generation.
 *
 * <p>Nothing has to be undone for a dead one: what it holds is looked at by whoever is held up, and does not count. A
 * newcomer in its slot begins with an empty area.
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
     * Enters this process: it holds its slot of the log alone, so what stands in its area is a dead one's.
     *
     * @throws IndexFullException when there is no room for its area
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

    /** Takes this process out; it is inside nowhere. */
    public void leave() {
        Words.setVolatile(memory, IndexFileLayout.process(owner >>> 16) + IndexFileLayout.OWNER, 0);
        Words.getAndAdd(memory, DEPARTURES, 1);
    }

    /** Returns this process: slot 16 bits, the low bits of its generation 16. */
    public int owner() {
        return owner;
    }

    int slot() {
        return owner >>> 16;
    }

    /** Returns how many slots were ever taken: those from 0 to that. */
    int slots() {
        return (int) Words.getVolatile(memory, PROCESS_SLOTS);
    }

    /** Returns whether somebody is entered in a slot, dead or alive. */
    boolean isEntered(int slot) {
        return owner(slot) != 0;
    }

    private long owner(int slot) {
        return Words.getVolatile(memory, IndexFileLayout.process(slot) + IndexFileLayout.OWNER);
    }

    /** Returns whether a slot was ever taken: its area can be looked at. */
    public boolean isBacked(int slot) {
        return isBacked(memory, slot);
    }

    /** Returns the same of a file. */
    public static boolean isBacked(MemorySegment memory, int slot) {
        return Words.getAcquire(memory, IndexFileLayout.process(slot) + IndexFileLayout.BACKED) != 0;
    }

    /** Returns whether a process may still be alive. */
    public boolean isAlive(int process) {
        return process == owner || isAlive.test(process);
    }

    /** Returns how many processes have left, or were found dead: what they had is to be looked for when that changes. */
    public long departures() {
        return Words.getVolatile(memory, DEPARTURES);
    }

    /** Returns whether nobody else has had the map open since its index was made. */
    public boolean isFirstAndOnly() {
        int entered = 0;
        for (int slot = 0; slot < slots(); slot++) {
            entered += isBacked(slot) || isEntered(slot) ? 1 : 0;
        }
        return entered == 1 && departures() == 0;
    }

    /** Takes out those that have died. */
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

    /** Returns whether this process has found another one dead since it was last asked; by one thread. */
    public boolean takeFoundDead() {
        boolean found = foundDead;
        if (found) {
            foundDead = false; // before what is looked for: one that is found meanwhile is looked for again
        }
        return found;
    }

    /** Returns the living, this process among them. */
    public List<MapProcess> living() {
        return entered(memory, this::isAlive);
    }

    /** Returns those that are entered in a file, and of which is said that they are alive. */
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

    /** Says who is in a slot, for an error. */
    String describe(int slot) {
        return "process " + Words.getPlain(memory, IndexFileLayout.process(slot) + IndexFileLayout.PID) + " (slot "
                + slot + ")";
    }

    /** Takes note of how many bytes this process has dropped and not freed. */
    public void droppedBytes(long bytes) {
        Words.setRelease(memory, IndexFileLayout.process(slot()) + IndexFileLayout.DROPPED_BYTES, bytes);
    }

    /** Returns how many bytes those who are entered have dropped and not freed. */
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
