package dev.larder.lab.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import dev.larder.lab.run.Records;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MixedWorkTest {

    private static final int RECORDS = 100;
    private static final int OPERATIONS = 10_000;

    private final Records inserted = new Records(64, 1, 0);
    private final BitSet replaced = new BitSet();

    private MixedWork work(int writesPercent) {
        Figures plan = new Figures()
                .put("seed", 1)
                .put("round", 0)
                .put("queries", OPERATIONS)
                .put("commit_every", 10);
        return new MixedWork(plan, writesPercent, RECORDS, inserted, replaced);
    }

    @Test
    void aRecordThatWasReplacedIsAnotherOneFromThenOn() {
        MixedWork work = work(100);
        assertThat(work.expected(0)).isSameAs(inserted);
        Records replacing = work.replacement(0);
        assertThat(work.expected(0)).isSameAs(replacing).isNotSameAs(inserted);
        assertThat(replaced.get((int) work.id(0))).isTrue();
        assertThat(replaced.cardinality()).isEqualTo(1);
    }

    /** Published results stay comparable: the same operations, drawn as before. */
    @Test
    void drawsTheOperationsFromTheSeed() {
        MixedWork work = work(30);
        SplittableRandom random = new SplittableRandom(1 + 2 + 30);
        long[] ids = random.longs(OPERATIONS, 0, RECORDS).toArray();
        for (int i = 0; i < OPERATIONS; i++) {
            assertThat(work.id(i)).isEqualTo(ids[i]);
            assertThat(work.isWrite(i)).isEqualTo(random.nextInt(100) < 30);
            assertThat(work.isCommit(i)).isEqualTo(i % 10 == 9);
        }
    }
}
