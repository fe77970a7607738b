package dev.larder.lab.database;

import dev.larder.cli.Figures;
import dev.larder.lab.run.Records;
import java.util.BitSet;
import java.util.SplittableRandom;

/**
 * Operations in random order: some replace a record, the others read one. After a replacement, reads must find the new
 * record.
 */
public final class MixedWork {

    private static final int PERCENT = 100;

    /** Keeps the rounds of replacements apart from those of inserts. */
    private static final int ROUNDS_APART = 1000;

    private final long[] ids;
    private final BitSet writes = new BitSet();
    private final BitSet replaced;
    private final Records inserted;
    private final Records replacing;
    private final long commitEvery;

    /**
     * The work of one share of replacements; all is drawn here, before the timing starts.
     *
     * @param replaced the records replaced so far; this work adds to them
     */
    MixedWork(Figures plan, int writesPercent, long records, Records inserted, BitSet replaced) {
        SplittableRandom random = new SplittableRandom(plan.whole("seed") + 2 + writesPercent);
        ids = random.longs(plan.whole("queries"), 0, records).toArray();
        for (int i = 0; i < ids.length; i++) {
            writes.set(i, random.nextInt(PERCENT) < writesPercent);
        }
        this.replaced = replaced;
        this.inserted = inserted;
        replacing = replacing(plan, inserted);
        commitEvery = plan.whole("commit_every");
    }

    /** Returns the replacing records of a round. */
    static Records replacing(Figures plan, Records inserted) {
        return new Records(
                inserted.recordBytes(), plan.whole("seed"), Math.toIntExact(plan.whole("round")) + ROUNDS_APART);
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

    /** Returns whether a commit follows an operation. */
    public boolean isCommit(int operation) {
        return (operation + 1) % commitEvery == 0 || operation == ids.length - 1;
    }

    /** Returns the records that contain an operation's. */
    public Records expected(int operation) {
        return replaced.get(Math.toIntExact(ids[operation])) ? replacing : inserted;
    }

    /** Returns the records that contain the one to write, and marks it as replaced. */
    public Records replacement(int operation) {
        replaced.set(Math.toIntExact(ids[operation]));
        return replacing;
    }
}
