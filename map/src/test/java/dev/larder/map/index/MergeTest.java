package dev.larder.map.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.Log;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.random.LogRecords;
import dev.larder.map.TestIndex;
import dev.larder.map.TestMaps;
import dev.larder.map.entry.EntryStore;
import dev.larder.map.format.IndexFileLayout;
import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.format.IndexWord;
import dev.larder.map.format.PackedPositions;
import dev.larder.map.format.Placement;
import dev.larder.tests.support.Effort;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pages of the index that have become small merge, whichever process dies meanwhile, and whichever thread looks meanwhile. */
@Tag("any-storage")
@Timeout(300)
final class MergeTest {

    private static final long SEED = 7;
    private static final int OTHER = (1 << 16) | 1;

    /** Two halves of this partition are used, each with enough keys for a page that is not full. */
    private static final int PARTITION = 5;

    private static final int KEYS = 9000;

    /** As many keys as two pages, but not one, have room for in one group: 31 each, and 63 lines of 7. */
    private static final int GROUP_KEYS = 600;

    @TempDir
    Path directory;

    private Log log;
    private LogRecords records;
    private TestIndex shared;
    private TestIndex.Member process;
    private Index index;
    private EntryStore store;
    private final List<Long> keys = new ArrayList<>();
    private final Lookup looking = probe(0);

    /** An error that ends a process, which does nothing afterwards. */
    private static final class Death extends RuntimeException {

        private static final long serialVersionUID = 1;
    }

    @BeforeEach
    void open() {
        log = Log.open(directory, TestMaps.options());
        records = LogRecords.of(log);
        shared = new TestIndex(directory);
        process = shared.enter(TestIndex.OWNER);
        index = process.index(records, new PackedPositions(2L << 20, 0));
        index.makeEmpty();
        store = store(index);
        addKeys(KEYS);
        assertThat(depths()).containsOnly(1);
    }

    @AfterEach
    void close() {
        shared.close();
        records.close();
        log.close();
    }

    private EntryStore store(Index of) {
        return new EntryStore(directory, of, records, position -> {}, Failpoints.NONE);
    }

    private void addKeys(int count) {
        for (long key = keys.isEmpty() ? 0 : keys.getLast() + 1; keys.size() < count; key++) {
            if (isOfPartition(key)) {
                keys.add(key);
                put(store, key);
            }
        }
    }

    private boolean isOfPartition(long key) {
        looking.key.set(ValueLayout.JAVA_LONG, 0, key);
        looking.hash(SEED);
        return looking.partition == PARTITION;
    }

    private static Lookup probe(long key) {
        Lookup probe = new Lookup();
        probe.keyOf(8).set(ValueLayout.JAVA_LONG, 0, key);
        probe.hash(SEED);
        return probe;
    }

    private static void put(EntryStore into, long key) {
        assertThat(into.put(probe(key), 8, (record, at) -> {}, Condition.ALWAYS))
                .isTrue();
    }

    /** Forgets a key, as the cleaner does; the pages stay as they are. */
    private void forget(long key) {
        Lookup probe = probe(key);
        store.find(probe);
        assertThat(index.forget(probe)).isTrue();
    }

    private List<Long> forgetAllBut(int every) {
        return keep(i -> i % every == 0);
    }

    private List<Long> keep(IntPredicate wanted) {
        List<Long> kept = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            if (wanted.test(i)) {
                kept.add(keys.get(i));
            } else {
                forget(keys.get(i));
            }
        }
        return kept;
    }

    private static void shrink(TestIndex.Member by, Index of) {
        int line = by.changes.pin();
        try {
            of.rebuild().shrink(PARTITION, 0);
        } finally {
            by.changes.unpin(line);
        }
    }

    private Set<Integer> depths() {
        Set<Integer> depths = new TreeSet<>();
        process.directory.forEach((partition, entry, word) -> {
            if (partition == PARTITION) {
                depths.add(Directory.depth(word));
            }
        });
        return depths;
    }

    private void checkAll(Iterable<Long> kept) {
        Set<Long> expected = new HashSet<>();
        kept.forEach(expected::add);
        for (long key : keys) {
            Lookup probe = probe(key);
            store.find(probe);
            assertThat(probe.isPresent()).as("key %s", key).isEqualTo(expected.contains(key));
        }
        assertThat(index.count()).isEqualTo(expected.size());
    }

    @Test
    void areOneWhereLittleIsLeft() {
        List<Long> kept = forgetAllBut(2);
        shrink(process, index);
        assertThat(depths()).containsExactly(0);
        checkAll(kept);
    }

    @Test
    void stayTwoWhereTheyWouldSoonBeFull() {
        List<Long> kept = keep(i -> i % 4 != 0);
        shrink(process, index);
        assertThat(depths()).containsExactly(1);
        checkAll(kept);
    }

    /** A merged page splits again, as often as there is cause, and takes no more memory for that. */
    @Test
    void splitAgain() {
        for (int round = 0; round < 10; round++) {
            List<Long> kept = forgetAllBut(10);
            shrink(process, index);
            assertThat(depths()).containsExactly(0);
            checkAll(kept);
            keys.forEach(key -> put(store, key));
            assertThat(depths()).containsExactly(1);
            checkAll(keys);
        }
        assertThat(process.memory.steps()).isLessThan(Placement.PARTITIONS + 10);
    }

    @Test
    void becomeOneOfFourOrMore() {
        addKeys(5 * KEYS);
        assertThat(depths()).contains(3);
        List<Long> kept = forgetAllBut(15);
        for (int hash = 7; hash >= 0; hash--) {
            int line = process.changes.pin();
            index.rebuild().shrink(PARTITION, hash);
            process.changes.unpin(line);
        }
        assertThat(depths()).containsExactly(0);
        checkAll(kept);
    }

    /** A process dies at each step of a merge. The next thread that changes a key, on either side, completes the merge. */
    @ParameterizedTest
    @CsvSource({
        "index.frozen,0", "index.claimed,0", "index.built,0", "index.told,0", "index.merged,0",
        "index.frozen,1", "index.claimed,1", "index.built,1", "index.told,1", "index.merged,1"
    })
    void areEndedByOthers(String step, int side) {
        Set<Long> kept = new TreeSet<>(forgetAllBut(3));
        dieAt(step);
        checkAll(kept);
        Long touched = keys.stream()
                .filter(key -> (probe(key).hash & 1) == side)
                .findFirst()
                .orElseThrow();
        put(store, touched);
        kept.add(touched);
        checkAll(kept);
        for (long key : keys) {
            put(store, key);
        }
        checkAll(keys);
        forgetAllBut(9).forEach(key -> assertThat(keys).contains(key));
        shrink(process, index);
        assertThat(depths()).containsExactly(0);
    }

    private void dieAt(String step) {
        TestIndex.Member dying = shared.enter(OTHER);
        Index ofDying = dying.index(records, new PackedPositions(2L << 20, 0), reached -> {
            if (reached.equals(step)) {
                throw new Death();
            }
        });
        int line = dying.changes.pin();
        assertThatThrownBy(() -> ofDying.rebuild().shrink(PARTITION, 0)).isInstanceOf(Death.class);
        shared.dead.add(OTHER);
        assertThat(line).isNotNegative();
    }

    /** Another process changes the keys of one side in the middle of a merge, so that this side has its own decision. */
    @ParameterizedTest
    @CsvSource({
        "index.frozen,0", "index.claimed,0", "index.built,0", "index.told,0", "index.merged,0",
        "index.frozen,1", "index.claimed,1", "index.built,1", "index.told,1", "index.merged,1"
    })
    void isNoObstacleToOthers(String step, int side) {
        Set<Long> kept = new TreeSet<>(forgetAllBut(3));
        TestIndex.Member other = shared.enter(OTHER);
        boolean[] reachedIt = {false};
        Index ofOther = other.index(records, new PackedPositions(2L << 20, 0), reached -> {
            if (reached.equals(step) && !reachedIt[0]) {
                reachedIt[0] = true;
                for (long key : keys) {
                    if ((probe(key).hash & 1) == side) {
                        put(store, key);
                        kept.add(key);
                    }
                }
            }
        });
        shrink(other, ofOther);
        assertThat(reachedIt[0]).isTrue();
        checkAll(kept);
        other.processes.leave();
    }

    /** Two pages wait for the decision of the lower one, which has split meanwhile, or has become another. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void decidesAloneWhereTheNeighbourHas(int side) {
        List<Long> kept = forgetAllBut(3);
        Merge merge = new Merge(process.directory, process.memory, Failpoints.NONE);
        int line = process.changes.pin();
        Merge.Neighbours both = merge.neighbours(PARTITION, side);
        assertThat(both).isNotNull();
        PageRef lower = both.lower();
        lower.freeze();
        put(store, keyOf(0)); // the lower page has become another, and left
        merge.claim(both);
        put(store, keyOf(1)); // the upper page, which waits for the lower one, is copied, too
        process.changes.unpin(line);
        assertThat(depths()).containsExactly(1);
        Set<Long> all = new TreeSet<>(kept);
        all.add(keyOf(0));
        all.add(keyOf(1));
        checkAll(all);
    }

    /** A page of few words that was frozen for a merge, and that a writer meets alone, does not split into two smaller ones. */
    @Test
    void staysOneWhereItWasFrozenInVain() {
        Set<Long> kept = new TreeSet<>(forgetAllBut(3));
        kept.add(keyOf(0));
        Merge merge = new Merge(process.directory, process.memory, Failpoints.NONE);
        for (int round = 0; round < 2; round++) { // the first round leaves out dead words
            int line = process.changes.pin();
            merge.found(PARTITION, 0, process.directory.get(PARTITION, 0)).freeze();
            put(store, keyOf(0));
            process.changes.unpin(line);
        }
        assertThat(depths()).containsExactly(1);
        checkAll(kept);
    }

    /** Two pages have few words, but more of one group than a page has room for. They stay two, and the attempts end. */
    @Test
    void stayTwoWhereOneGroupWouldBeTooFull() {
        Set<Long> kept = new TreeSet<>();
        for (long key = KEYS * 100L; kept.size() < GROUP_KEYS; key++) {
            if (isOfPartition(key) && Placement.group(looking.hash) == 0) {
                kept.add(key);
                put(store, key);
            }
        }
        forgetAllBut(keys.size());
        kept.add(keys.getFirst());
        keys.addAll(kept);
        TestIndex.Member other = shared.enter(OTHER);
        int[] claims = {0};
        Index ofOther = other.index(records, new PackedPositions(2L << 20, 0), reached -> {
            claims[0] += reached.equals("index.claimed") ? 1 : 0;
            assertThat(claims[0]).as("attempts").isLessThan(2);
        });
        shrink(other, ofOther);
        assertThat(claims[0]).isOne();
        assertThat(depths()).containsExactly(1);
        checkAll(kept);
        other.processes.leave();
    }

    private long keyOf(int side) {
        return keys.stream()
                .filter(key -> (probe(key).hash & 1) == side)
                .findFirst()
                .orElseThrow();
    }

    /** A walk that pauses between two pages passes each key once, though the pages merge, and split again, under it. */
    @Test
    void areWalkedOnce() {
        addKeys(5 * KEYS);
        Set<Long> kept = new TreeSet<>(LongStream.range(0, keys.size())
                .filter(i -> i % 15 == 0)
                .mapToObj(i -> keys.get((int) i))
                .toList());
        SplittableRandom random = new SplittableRandom(1);
        for (int stop = 1; stop < 9; stop++) {
            List<Long> met = new ArrayList<>();
            long steps = index.steps();
            IndexWalk walk = new IndexWalk(index);
            int handed = 0;
            while (next(walk, met)) {
                handed += met.isEmpty() ? 0 : 1;
                if (handed == stop) {
                    forgetAllBut(15);
                    for (int hash = 0; hash < 8; hash++) {
                        shrinkAt(random.nextInt(8));
                    }
                    assertThat(index.steps()).isLessThan(steps);
                }
            }
            assertThat(met).doesNotHaveDuplicates();
            Set<Long> missed = new TreeSet<>(kept);
            met.forEach(missed::remove);
            assertThat(missed).isEmpty();
            keys.forEach(key -> put(store, key));
        }
    }

    private void shrinkAt(int hash) {
        int line = process.changes.pin();
        index.rebuild().shrink(PARTITION, hash);
        process.changes.unpin(line);
    }

    private boolean next(IndexWalk walk, List<Long> met) {
        return walk.next((step, place) -> step.forEach((group, word) -> {
            if (IndexWord.isAlive(word)) {
                long position = index.places().position(IndexWord.place(word));
                long at = LogRecords.payload(position);
                Lookup probe = new Lookup();
                probe.take(records.bytes(position), at, SEED);
                met.add(probe.key.get(ValueLayout.JAVA_LONG, 0));
                assertThat(Placement.entry(probe.hash, IndexPageLayout.depth(place)))
                        .isEqualTo(IndexPageLayout.prefix(place));
            }
        }));
    }

    /** Unused memory is given back, where the system can, and taken again when the index grows. */
    @Test
    @Tag(Effort.LONG)
    void givesMemoryBack() {
        addKeys(40 * KEYS);
        long full = process.memory.bytes();
        List<Long> keptKeys = forgetAllBut(50);
        for (int hash = 0; hash < 32; hash++) {
            shrinkAt(hash);
        }
        process.changes.awaitOthers();
        long left = process.memory.steps() - index.steps();
        long before = process.memory.bytes();
        process.memory.giveBackMemory();
        if (TestMaps.storage().isNative()) {
            long spares = Math.max(IndexFileLayout.UNIT_STEPS, index.steps() / 4);
            assertThat(left).isGreaterThan(spares);
            assertThat(before - process.memory.bytes()).isGreaterThanOrEqualTo((left - spares) * IndexPageLayout.BYTES);
        }
        checkAll(keptKeys);
        keys.forEach(key -> put(store, key));
        checkAll(keys);
        assertThat(process.memory.bytes()).isBetween(full / 2, full + 2 * IndexFileLayout.UNIT_BYTES);
    }
}
