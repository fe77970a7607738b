package dev.larder.lab.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The numbers of new records follow one another, and nothing is looked for that is not there by then. */
class MixedWorkTest {

    private static final int RECORDS = 100;
    private static final int OPERATIONS = 10_000;

    private final Records inserted = new Records(64, 1, 0);

    private static Figures plan(int newPercent) {
        return new Figures()
                .put("seed", 1)
                .put("round", 0)
                .put("queries", OPERATIONS)
                .put("commit_every", 10)
                .put("new_percent", newPercent);
    }

    @Test
    void newRecordsFollowOneAnother() {
        RecordsByThen byThen = new RecordsByThen(RECORDS);
        MixedWork work = MixedWork.of(plan(50), 40, inserted, byThen);
        long count = RECORDS;
        long drawnOfNew = 0;
        for (int i = 0; i < work.count(); i++) {
            if (work.isAddition(i)) {
                assertThat(work.isWrite(i)).isTrue();
                assertThat(work.id(i)).isEqualTo(count++);
            } else {
                assertThat(work.id(i)).isBetween(0L, count - 1);
                drawnOfNew += work.id(i) >= RECORDS ? 1 : 0;
            }
        }
        assertThat(work.countAfter()).isEqualTo(count).isBetween(RECORDS + 1800L, RECORDS + 2200L);
        assertThat(drawnOfNew).isGreaterThan(OPERATIONS / 2); // most of what there is in the end
    }

    @Test
    void aNewRecordIsFoundAsOneOfThoseThatReplace() {
        RecordsByThen byThen = new RecordsByThen(RECORDS);
        MixedWork work = MixedWork.of(plan(100), 100, inserted, byThen);
        Records replacing = work.replacement(0);
        assertThat(work.id(0)).isEqualTo(RECORDS);
        assertThat(work.expected(0)).isSameAs(replacing).isNotSameAs(inserted);
        assertThat(byThen.isReplaced(RECORDS)).isTrue();
        assertThat(byThen.isReplaced(0)).isFalse();
    }

    /** The next share goes on where the one before has ended. */
    @Test
    void sharesGoOnFromOneAnother() {
        RecordsByThen byThen = new RecordsByThen(RECORDS);
        byThen.grow(MixedWork.of(plan(10), 100, inserted, byThen).countAfter());
        long before = byThen.count();
        assertThat(byThen.added()).isBetween(800L, 1200L);
        MixedWork next = MixedWork.of(plan(100), 50, inserted, byThen);
        for (int i = 0; i < next.count(); i++) {
            if (next.isAddition(i)) {
                assertThat(next.id(i)).isEqualTo(before);
                return;
            }
        }
        throw new AssertionError("nothing was added");
    }

    /** What was published before there were new records stays comparable: the same operations, drawn as before. */
    @Test
    void withoutNewRecordsTheWorkIsWhatItWas() {
        MixedWork work = MixedWork.of(plan(0), 30, inserted, new RecordsByThen(RECORDS));
        SplittableRandom random = new SplittableRandom(1 + 2 + 30);
        long[] ids = random.longs(OPERATIONS, 0, RECORDS).toArray();
        assertThat(work.countAfter()).isEqualTo(RECORDS);
        for (int i = 0; i < OPERATIONS; i++) {
            assertThat(work.id(i)).isEqualTo(ids[i]);
            assertThat(work.isWrite(i)).isEqualTo(random.nextInt(100) < 30);
            assertThat(work.isAddition(i)).isFalse();
        }
    }
}
