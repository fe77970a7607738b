package dev.larder.lab.database;

import dev.larder.lab.result.Figures;
import java.util.BitSet;
import java.util.SplittableRandom;

/**
 * Operations by number, in random order, of which some replace a record and the others read one; a record that was replaced
 * is another one from then on, and has to be found as such.
 */
public final class MixedWork {

    private static final int PERCENT = 100;

    /** So far apart that no round of inserts is taken for one of replacements. */
    private static final int ROUNDS_APART = 1000;

    private final long[] ids;
    private final BitSet writes;
    private final BitSet replaced;
    private final Records inserted;
    private final Records replacing;
    private final long commitEvery;

    private MixedWork(
            long[] ids, BitSet writes, BitSet replaced, Records inserted, Records replacing, long commitEvery) {
        this.ids = ids;
        this.writes = writes;
        this.replaced = replaced;
        this.inserted = inserted;
        this.replacing = replacing;
        this.commitEvery = commitEvery;
    }

    /**
     * The work of one share of replacements.
     *
     * @param replaced the records that were replaced before, which this goes on with
     */
    static MixedWork of(Figures plan, int writesPercent, Records inserted, BitSet replaced) {
        SplittableRandom random = new SplittableRandom(plan.whole("seed") + 2 + writesPercent);
        long[] ids =
                random.longs(plan.whole("queries"), 0, plan.whole("records")).toArray();
        BitSet writes = new BitSet(ids.length);
        for (int i = 0; i < ids.length; i++) {
            writes.set(i, random.nextInt(PERCENT) < writesPercent);
        }
        Records replacing = new Records(
                inserted.recordBytes(), plan.whole("seed"), Math.toIntExact(plan.whole("round")) + ROUNDS_APART);
        return new MixedWork(ids, writes, replaced, inserted, replacing, plan.whole("commit_every"));
    }

    /** Returns how many operations there are. */
    public int count() {
        return ids.length;
    }

    /** Returns the number of the record of an operation. */
    public long id(int operation) {
        return ids[operation];
    }

    /** Returns whether an operation replaces its record. */
    public boolean isWrite(int operation) {
        return writes.get(operation);
    }

    /** Returns whether a commit comes behind an operation. */
    public boolean isCommit(int operation) {
        return (operation + 1) % commitEvery == 0 || operation == ids.length - 1;
    }

    /** Returns the records that an operation's is to be found among. */
    public Records expected(int operation) {
        return replaced.get((int) ids[operation]) ? replacing : inserted;
    }

    /** Returns the records that an operation's replacement is one of; it counts as replaced from here on. */
    public Records replacement(int operation) {
        replaced.set((int) ids[operation]);
        return replacing;
    }
}
