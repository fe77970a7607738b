package dev.larder.lab.database;

import dev.larder.cli.Figures;
import java.util.BitSet;
import java.util.SplittableRandom;

/**
 * Operations by number, in random order, of which some replace a record or add the next one, and the others read one; a record
 * that was replaced is another one from then on, and has to be found as such. What is read or replaced is drawn from all
 * records that are there by then.
 */
public final class MixedWork {

    private static final int PERCENT = 100;

    /** So far apart that no round of inserts is taken for one of replacements. */
    private static final int ROUNDS_APART = 1000;

    private final long[] ids;
    private final BitSet writes;
    private final BitSet additions;
    private final long countAfter;
    private final RecordsByThen byThen;
    private final Records inserted;
    private final Records replacing;
    private final long commitEvery;

    private MixedWork(Draw draw, RecordsByThen byThen, Records inserted, Records replacing, long commitEvery) {
        this.ids = draw.ids;
        this.writes = draw.writes;
        this.additions = draw.additions;
        this.countAfter = draw.count;
        this.byThen = byThen;
        this.inserted = inserted;
        this.replacing = replacing;
        this.commitEvery = commitEvery;
    }

    /** What is drawn ahead, so that nothing of it is timed. */
    private static final class Draw {

        private final SplittableRandom random;
        private final long[] ids;
        private final BitSet writes;
        private final BitSet additions;
        private final long firstCount;
        private long count;

        Draw(long seed, long operations, long count) {
            random = new SplittableRandom(seed);
            ids = random.longs(operations, 0, count).toArray();
            writes = new BitSet(ids.length);
            additions = new BitSet(ids.length);
            firstCount = count;
            this.count = count;
        }

        void writes(int percent) {
            for (int i = 0; i < ids.length; i++) {
                writes.set(i, random.nextInt(PERCENT) < percent);
            }
        }

        void additions(int percent) {
            for (int i = 0; percent > 0 && i < ids.length; i++) {
                boolean adds = writes.get(i) && random.nextInt(PERCENT) < percent;
                additions.set(i, adds);
                if (adds) {
                    ids[i] = count++;
                } else if (count > firstCount) {
                    ids[i] = random.nextLong(count);
                }
            }
        }
    }

    /**
     * The work of one share of replacements.
     *
     * @param byThen the records that are there before, which this goes on with
     */
    static MixedWork of(Figures plan, int writesPercent, Records inserted, RecordsByThen byThen) {
        Draw draw = new Draw(plan.whole("seed") + 2 + writesPercent, plan.whole("queries"), byThen.count());
        draw.writes(writesPercent);
        draw.additions(Math.toIntExact(plan.whole("new_percent")));
        return new MixedWork(draw, byThen, inserted, replacing(plan, inserted), plan.whole("commit_every"));
    }

    /** Returns the records that are put in the place of others, or behind them, in a round. */
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

    /** Returns whether an operation replaces its record, or adds it. */
    public boolean isWrite(int operation) {
        return writes.get(operation);
    }

    /** Returns whether the record of a write is not there yet. */
    public boolean isAddition(int operation) {
        return additions.get(operation);
    }

    /** Returns how many records there are behind the last operation: whoever keeps a table by number can make room for them. */
    public long countAfter() {
        return countAfter;
    }

    /** Returns whether a commit comes behind an operation. */
    public boolean isCommit(int operation) {
        return (operation + 1) % commitEvery == 0 || operation == ids.length - 1;
    }

    /** Returns the records that an operation's is to be found among. */
    public Records expected(int operation) {
        return byThen.isReplaced(ids[operation]) ? replacing : inserted;
    }

    /** Returns the records that the one an operation writes is one of; it counts as such from here on. */
    public Records replacement(int operation) {
        byThen.replace(ids[operation]);
        return replacing;
    }
}
