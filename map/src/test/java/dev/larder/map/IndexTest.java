package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.Log;
import dev.larder.log.LogRecords;
import dev.larder.log.Steps;
import dev.larder.memory.DiskFullException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The index by itself: what no test comes to that goes through the map. */
@Timeout(120)
final class IndexTest {

    private static final long SEED = 7;

    @TempDir
    Path directory;

    private final Epochs epochs = new Epochs();
    private Log log;
    private LogRecords records;
    private IndexMemory memory;

    @BeforeEach
    void open() {
        log = Log.open(directory, TestMaps.options());
        records = log.records();
        memory = new IndexMemory(epochs);
    }

    @AfterEach
    void close() {
        memory.close();
        records.close();
        log.close();
    }

    private Index index(int first) {
        Index index = new Index(records, new Places(2L << 20, first), new Directory(), memory);
        index.makeEmpty();
        return index;
    }

    private EntryStore store(Index index) {
        return new EntryStore(directory, index, records, position -> {}, Steps.NONE);
    }

    private static Probe probe(long key) {
        Probe probe = new Probe();
        probe.keyOf(8).set(ValueLayout.JAVA_LONG, 0, key);
        probe.hash(SEED);
        return probe;
    }

    private static boolean put(EntryStore store, Probe probe) {
        return store.put(probe, 8, (record, at) -> {}, Condition.ALWAYS);
    }

    private static void killAll(MemorySegment chunk, long base, int every) {
        int words = 0;
        for (long at = base + IndexStepLayout.GROUPS_AT; at < base + IndexStepLayout.OVERFLOW_AT; at += 8) {
            long word = Words.getPlain(chunk, at);
            boolean isLink = (at - base - IndexStepLayout.GROUPS_AT) % IndexStepLayout.GROUP_BYTES
                    == IndexStepLayout.GROUP_BYTES - 8;
            if (word != 0 && !isLink && words++ % every != 0) {
                Words.setPlain(chunk, at, word | IndexWord.DEAD);
            }
        }
    }

    /** What is dead keeps its slot until the step is rebuilt; then it is gone, and the step stays one. */
    @Test
    void leavesOutWhatIsDead() {
        Index index = index(0);
        EntryStore store = store(index);
        int partition = Placement.partition(probe(1).hash);
        long key = 1;
        long stepBefore = index.stepOf(partition, 0);
        while (index.stepOf(partition, 0) == stepBefore) {
            Probe probe = probe(key++);
            if (probe.partition == partition) {
                put(store, probe);
                killIfFull(probe);
            }
        }
        long after = index.stepOf(partition, 0);
        assertThat(Directory.depth(after)).isZero();
        AtomicInteger dead = new AtomicInteger();
        AtomicInteger alive = new AtomicInteger();
        new FrozenStep(memory.memory(Directory.step(after)), IndexMemory.base(Directory.step(after)))
                .forEach((group, word) -> (IndexWord.isOfKey(word) ? alive : dead).incrementAndGet());
        assertThat(dead).hasValue(0);
        assertThat(alive.get()).isBetween(500, 5000);
    }

    /** Lets nine of ten words die when the overflow lines are nearly gone. */
    private static void killIfFull(Probe probe) {
        long used = Words.getPlain(probe.memory, probe.base + IndexStepLayout.OVERFLOW);
        if (used == IndexStepLayout.OVERFLOW_LINES - 1) {
            killAll(probe.memory, probe.base, 10);
            Words.setPlain(probe.memory, probe.base + IndexStepLayout.OVERFLOW, IndexStepLayout.OVERFLOW_LINES);
        }
    }

    /** Steps are given out again, but none that somebody who is pinned may look at. */
    @Test
    void waitsForThoseWhoAreInside() {
        int step = memory.allocate();
        int line = epochs.pin();
        memory.retire(step);
        assertThat(memory.allocate()).isNotEqualTo(step);
        epochs.unpin(line);
        int later = epochs.pin(); // came after it was taken out
        assertThat(memory.allocate()).isEqualTo(step);
        epochs.unpin(later);
    }

    @Test
    void givesStepsOutEmpty() {
        int step = memory.allocate();
        MemorySegment chunk = memory.memory(step);
        long base = IndexMemory.base(step);
        Words.setPlain(chunk, base + 1000, 5);
        memory.retire(step);
        assertThat(memory.allocate()).isEqualTo(step);
        assertThat(Words.getPlain(chunk, base + 1000)).isZero();
    }

    /** Where positions would come to mean two records, a put is refused, and what is there stays. */
    @Test
    void refusesWhatItsWordsCannotTell() {
        int max = new Places(2L << 20, 0).spanMax();
        Index index = index(1 - max); // as if that were the first: the log's own first is the last that can be told
        EntryStore store = store(index);
        long[] key = {0};
        assertThatThrownBy(() -> {
                    while (log.endPosition() < 2L << 32) {
                        store.put(probe(key[0]++), 1000, (record, at) -> {}, Condition.ALWAYS);
                    }
                })
                .isInstanceOf(DiskFullException.class)
                .hasMessageContaining("the map is full: its log has come to 1:")
                .hasMessageContaining(max + " segments");
        assertThat(index.count()).isEqualTo(key[0] - 1);
        Probe probe = probe(0);
        store.find(probe);
        assertThat(probe.isPresent()).isTrue();
        log.sync(); // the claim was given up
    }
}
