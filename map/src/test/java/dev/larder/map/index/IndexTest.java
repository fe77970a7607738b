package dev.larder.map.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.log.Log;
import dev.larder.log.LogBusyException;
import dev.larder.log.Position;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.layer.OpenClaim;
import dev.larder.log.random.LogRecords;
import dev.larder.map.MapProcess;
import dev.larder.map.TestIndex;
import dev.larder.map.TestMaps;
import dev.larder.map.entry.EntryStore;
import dev.larder.map.format.IndexFileLayout;
import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.format.IndexWord;
import dev.larder.map.format.PackedPositions;
import dev.larder.map.format.Placement;
import dev.larder.map.shared.Epochs;
import dev.larder.map.shared.IndexFile;
import dev.larder.map.shared.IndexFullException;
import dev.larder.memory.DiskFullException;
import dev.larder.memory.PageCache;
import dev.larder.memory.SystemStorage;
import dev.larder.memory.Words;
import dev.larder.tests.support.OtherThread;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The index by itself, in cases that no test through the map reaches. */
@Timeout(120)
final class IndexTest {

    private static final long SEED = 7;

    @TempDir
    Path directory;

    private Log log;
    private LogRecords records;
    private TestIndex shared;
    private TestIndex.Member process;
    private Epochs epochs;
    private IndexMemory memory;

    @BeforeEach
    void open() {
        log = Log.open(directory, TestMaps.options());
        records = LogRecords.of(log);
        shared = new TestIndex(directory);
        process = shared.enter(TestIndex.OWNER);
        epochs = process.changes;
        memory = process.memory;
    }

    @AfterEach
    void close() {
        shared.close();
        records.close();
        log.close();
    }

    private Index index(int first) {
        Index index = process.index(records, new PackedPositions(2L << 20, first));
        index.makeEmpty();
        return index;
    }

    private EntryStore store(Index index) {
        return new EntryStore(directory, index, records, position -> {}, Failpoints.NONE);
    }

    private static Lookup probe(long key) {
        Lookup probe = new Lookup();
        probe.keyOf(8).set(ValueLayout.JAVA_LONG, 0, key);
        probe.hash(SEED);
        return probe;
    }

    private static boolean put(EntryStore store, Lookup probe) {
        return store.put(probe, 8, (record, at) -> {}, Condition.ALWAYS);
    }

    private static void killAll(MemorySegment chunk, long base, int every) {
        int words = 0;
        for (long at = base + IndexPageLayout.GROUPS_AT; at < base + IndexPageLayout.OVERFLOW_AT; at += 8) {
            long word = Words.getPlain(chunk, at);
            boolean isLink = (at - base - IndexPageLayout.GROUPS_AT) % IndexPageLayout.GROUP_BYTES
                    == IndexPageLayout.GROUP_BYTES - 8;
            if (word != 0 && !isLink && words++ % every != 0) {
                Words.setPlain(chunk, at, word | IndexWord.DEAD);
                Words.getAndAdd(chunk, base + IndexPageLayout.ALIVE, -1);
            }
        }
    }

    /** A thread without a pin may be so late that its page has left the directory, and has lost its memory. */
    @Test
    void marksNothingInAPageThatHasLeft() {
        Index index = index(0);
        put(store(index), probe(1));
        Lookup unmarked = probe(1);
        index.find(unmarked);
        index.visit(unmarked);
        Lookup marked = probe(1);
        index.find(marked);
        assertThat(IndexWord.isVisited(marked.word)).isTrue();
        int line = epochs.pinAnyway();
        index.rebuild().refresh(marked.partition, 0);
        epochs.unpin(line);
        MemorySegment pages = memory.memory();
        Words.setPlain(pages, marked.slot, marked.word);
        assertThat(index.takeVisit(marked)).isTrue();
        assertThat(Words.getPlain(pages, marked.slot)).isEqualTo(marked.word);
        Words.setPlain(pages, unmarked.slot, unmarked.word);
        index.visit(unmarked);
        assertThat(Words.getPlain(pages, unmarked.slot)).isEqualTo(unmarked.word);
    }

    /** A dead word keeps its slot until the page is rebuilt. Then the word is gone, and the page is not split. */
    @Test
    void leavesOutWhatIsDead() {
        Index index = index(0);
        EntryStore store = store(index);
        int partition = Placement.partition(probe(1).hash);
        long key = 1;
        long stepBefore = index.stepOf(partition, 0);
        while (index.stepOf(partition, 0) == stepBefore) {
            Lookup probe = probe(key++);
            if (probe.partition == partition) {
                put(store, probe);
                killIfFull(index, probe);
            }
        }
        long after = index.stepOf(partition, 0);
        assertThat(Directory.depth(after)).isZero();
        AtomicInteger dead = new AtomicInteger();
        AtomicInteger alive = new AtomicInteger();
        new PageWords(memory.memory(Directory.step(after)), IndexMemory.base(Directory.step(after)))
                .forEach((group, word) -> (IndexWord.isOfKey(word) ? alive : dead).incrementAndGet());
        assertThat(dead).hasValue(0);
        assertThat(alive.get()).isBetween(500, 5000);
    }

    /** Regression: a copy of the page had two words of a key that was forgotten, and put again, during the walk. */
    @Test
    void aWalkPassesOnOneWordOfAKey() {
        Index index = index(0);
        EntryStore store = store(index);
        Lookup key = probe(1);
        put(store, key);
        long number = 2;
        Lookup other = probe(number);
        while (other.partition != key.partition
                || Placement.group(other.hash) != Placement.group(key.hash)
                || Placement.tag(other.hash) == Placement.tag(key.hash)) {
            other = probe(++number);
        }
        put(store, other);
        AtomicInteger passed = new AtomicInteger();
        AtomicInteger seen = new AtomicInteger();
        index.words(index.stepOf(key.partition, key.hash)).forEachKey((group, word) -> {
            if (passed.getAndIncrement() == 0) {
                Lookup again = probe(1);
                store.find(again);
                assertThat(index.forget(again)).isTrue();
                put(store, probe(1));
            }
            seen.addAndGet(IndexWord.tag(word) == Placement.tag(key.hash) ? 1 : 0);
        });
        assertThat(passed).hasPositiveValue();
        assertThat(seen).hasValueLessThan(2);
    }

    /** The pages of an index in a folder on a disk may leave the memory, like those of any file. */
    @Test
    void isFoundAgainWhereItsPagesHaveLeft() throws IOException {
        Index index = index(0);
        EntryStore store = store(index);
        for (long key = 0; key < 50_000; key++) {
            put(store, probe(key));
        }
        long before = PageCache.residentBytes(shared.file.path()).orElse(0);
        assumeTrue(before > 0, "without native calls nobody tells what is in memory");
        evict(shared.file);
        long left = PageCache.residentBytes(shared.file.path()).orElseThrow();
        assumeFalse(left == before && isMemory(directory), "the folder is memory itself");
        assertThat(left).isLessThan(before / 4);
        for (long key = 0; key < 50_000; key++) {
            Lookup probe = probe(key);
            store.find(probe);
            assertThat(probe.isPresent()).as("key %d", key).isTrue();
        }
        Lookup absent = probe(50_000);
        store.find(absent);
        assertThat(absent.isPresent()).isFalse();
    }

    private static boolean isMemory(Path folder) throws IOException {
        return Files.getFileStore(folder).type().equals("tmpfs");
    }

    private static void evict(IndexFile file) throws IOException {
        SystemStorage.system().releasePageTables(file.memory());
        try (FileChannel channel = FileChannel.open(file.path(), StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        assertThat(PageCache.drop(file.path())).isEmpty();
    }

    /** Kills nine of ten words when the overflow lines are nearly gone. */
    private static void killIfFull(Index index, Lookup probe) {
        long used = Words.getPlain(index.memory().memory(), probe.base + IndexPageLayout.OVERFLOW);
        if (used == IndexPageLayout.OVERFLOW_LINES - 1) {
            killAll(index.memory().memory(), probe.base, 10);
            Words.setPlain(
                    index.memory().memory(), probe.base + IndexPageLayout.OVERFLOW, IndexPageLayout.OVERFLOW_LINES);
        }
    }

    private int used() {
        int step = memory.allocate();
        memory.use(step);
        return step;
    }

    /** Pages are given out again, but none that a pinned thread may look at. */
    @Test
    void waitsForThoseWhoAreInside() {
        int step = used();
        int line = epochs.pin();
        memory.retire(step);
        assertThat(memory.allocate()).isNotEqualTo(step);
        epochs.unpin(line);
        int later = epochs.pin(); // pinned after the page was taken out
        assertThat(memory.allocate()).isEqualTo(step);
        epochs.unpin(later);
    }

    @Test
    void givesStepsOutEmpty() {
        int step = used();
        MemorySegment chunk = memory.memory(step);
        long base = IndexMemory.base(step);
        Words.setPlain(chunk, base + 1000, 5);
        memory.retire(step);
        assertThat(memory.allocate()).isEqualTo(step);
        assertThat(Words.getPlain(chunk, base + 1000)).isZero();
    }

    /** Where positions would come to mean two records, a put is refused. Existing entries stay. */
    @Test
    void refusesWhatItsWordsCannotTell() {
        int max = new PackedPositions(2L << 20, 0).spanMax(false);
        Index index =
                index(1 - max); // as if that were the first: the log's own first is the last that can be told apart
        EntryStore store = store(index);
        long[] key = {0};
        assertThatThrownBy(() -> {
                    while (log.endPosition() < 2L << 32) {
                        store.put(probe(key[0]++), 1000, (record, at) -> {}, Condition.ALWAYS);
                    }
                })
                .isInstanceOf(DiskFullException.class)
                .hasMessageContaining("the map is full: its log ends at 1:")
                .hasMessageContaining(max + " segments");
        assertThat(index.count()).isEqualTo(key[0] - 1);
        Lookup probe = probe(0);
        store.find(probe);
        assertThat(probe.isPresent()).isTrue();
        log.sync(); // the claim was given up
        while (log.endPosition() < Position.of(1, 0)) {
            records.abandon(records.claim(
                    400_000,
                    new OpenClaim(IndexTest.class))); // as of other writers, which have come beyond the end meanwhile
        }
        assertThatThrownBy(() -> store.put(probe(0), 8, (record, at) -> {}, Condition.ALWAYS))
                .isInstanceOf(DiskFullException.class);
        assertThat(store.remove(probe(0), Condition.PRESENT))
                .as("what lets others go has room")
                .isTrue();
        store.find(probe);
        assertThat(probe.isPresent()).isFalse();
        assertThat(Position.segment(probe.position)).isEqualTo(1);
    }

    /**
     * The next process that needs memory finds the pages of a killed process: those it retired, made, or took out of the
     * directory.
     */
    @Test
    void findsTheStepsOfTheDead() {
        Index index = index(0);
        int other = (1 << 16) | 1;
        TestIndex.Member dying = shared.enter(other);
        int left = dying.memory.allocate();
        dying.memory.use(left);
        dying.memory.retire(left);
        int made = dying.memory.allocate();
        int takenOut = dying.memory.allocate();
        dying.memory.use(takenOut);
        int inside = dying.changes.pin();
        assertThat(take(IndexFileLayout.UNIT_STEPS)).doesNotContain(left, made, takenOut); // the process is alive
        shared.dead.add(other);
        assertThat(take(2 * IndexFileLayout.UNIT_STEPS))
                .contains(left, made, takenOut)
                .doesNotHaveDuplicates();
        assertThat(index.count()).isZero();
        for (int partition = 0; partition < Placement.PARTITIONS; partition++) {
            assertThat(Directory.step(index.stepOf(partition, 0))).isEqualTo(partition);
        }
        assertThat(inside).isNotNegative();
    }

    private Set<Integer> take(int count) {
        Set<Integer> taken = new HashSet<>();
        for (int i = 0; i < count; i++) {
            assertThat(taken.add(memory.allocate())).isTrue();
        }
        return taken;
    }

    /** A live process that is inside holds a page back, and delays no thread. A dead process holds nothing. */
    @Test
    void waitsForOtherProcesses() {
        int other = (7 << 16) | 5;
        TestIndex.Member slow = shared.enter(other);
        int step = used();
        slow.changes.pin();
        memory.retire(step);
        assertThat(memory.allocate()).isNotEqualTo(step);
        assertThat(epochs.haveOwnPassed(epochs.advance())).isTrue();
        assertThatThrownBy(epochs::awaitOthers)
                .isInstanceOf(LogBusyException.class)
                .hasMessageContaining("(slot 7) has been in the middle of a change");
        shared.dead.add(other);
        epochs.awaitOthers();
        assertThat(memory.allocate()).isEqualTo(step);
    }

    /** A process in the slot of a dead one begins with nothing, and does not inherit what the dead one held. */
    @Test
    void takesTheSlotOfTheDead() {
        int dead = (7 << 16) | 5;
        TestIndex.Member dying = shared.enter(dead);
        dying.changes.pin();
        dying.live.add(100);
        shared.dead.add(dead);
        TestIndex.Member next = shared.enter((7 << 16) | 6);
        epochs.awaitOthers();
        assertThat(next.live.get()).isEqualTo(100);
        assertThat(process.processes.living()).extracting(MapProcess::slot).containsExactly(0, 7);
        next.processes.leave();
        assertThat(process.processes.living()).extracting(MapProcess::slot).containsExactly(0);
    }

    /** The index refuses before it takes any memory. */
    @Test
    void refusesMoreEntriesThanItHasRoomFor() {
        Index index = index(0);
        int before = memory.steps();
        index.requireRoom(1_000_000);
        for (long entries : new long[] {100_000_000, 1L << 40, Long.MAX_VALUE}) {
            assertThatThrownBy(() -> index.requireRoom(entries))
                    .isInstanceOf(IndexFullException.class)
                    .hasMessageContaining("nothing was changed: " + entries + " entries need them");
        }
        assertThat(memory.steps()).isEqualTo(before);
    }

    /** Without memory for more pages, the index fails before it freezes anything: entries stay, and can be changed. */
    private void takeAllBut(int left) {
        Deque<Integer> taken = new ArrayDeque<>();
        try {
            while (true) {
                taken.addLast(memory.allocate());
            }
        } catch (IndexFullException e) {
            for (int i = 0; i < left; i++) {
                memory.giveBack(taken.removeLast());
            }
        }
    }

    private void openSmall() {
        shared.close();
        shared = new TestIndex(directory, 5);
        process = shared.enter(TestIndex.OWNER);
        epochs = process.changes;
        memory = process.memory;
    }

    /** Puts keys of one partition until its first page is rebuilt; returns the last key. */
    private long fill(Index index, EntryStore store) {
        int partition = Placement.partition(probe(1).hash);
        long before = index.stepOf(partition, 0);
        long key = 0;
        while (index.stepOf(partition, 0) == before) {
            key++;
            if (Placement.partition(probe(key).hash) == partition) {
                put(store, probe(key));
            }
        }
        return key;
    }

    /** The memory of the page's successor was taken before, so that others cannot take it. */
    @Test
    void freezesNoStepThatCannotBecomeAnother() {
        openSmall();
        AtomicBoolean armed = new AtomicBoolean(true);
        Index index = process.index(records, new PackedPositions(2L << 20, 0), step -> {
            if (step.equals("index.frozen") && armed.getAndSet(false)) {
                takeAllBut(0);
            }
        });
        index.makeEmpty();
        EntryStore store = store(index);
        fill(index, store);
        assertThat(armed).isFalse();
        assertThat(put(store, probe(1))).isTrue();
    }

    /** With memory for one page alone, the page is copied into one: its entries can still be changed. */
    @Test
    void thawsAStepThatCannotBecomeTwo() {
        openSmall();
        AtomicBoolean armed = new AtomicBoolean(true);
        Index index = process.index(records, new PackedPositions(2L << 20, 0), step -> {
            if (step.equals("index.frozen") && armed.getAndSet(false)) {
                throw new IllegalStateException("killed");
            }
        });
        index.makeEmpty();
        EntryStore store = store(index);
        assertThatThrownBy(() -> fill(index, store)).hasMessage("killed");
        takeAllBut(1);
        assertThat(put(store, probe(1))).isTrue();
        assertThat(put(store, probe(1))).isTrue();
    }

    private Index index(Failpoints steps) {
        Index index = process.index(records, new PackedPositions(2L << 20, 0), steps);
        index.makeEmpty();
        return index;
    }

    /** A decided page only has to enter the directory, and that needs no memory. */
    @Test
    void finishesWhatIsDecidedWithoutMemory() {
        openSmall();
        AtomicBoolean armed = new AtomicBoolean(true);
        AtomicReference<EntryStore> store = new AtomicReference<>();
        AtomicBoolean changed = new AtomicBoolean();
        Index index = index(step -> {
            if (step.equals("index.decided") && armed.getAndSet(false)) {
                takeAllBut(0);
                changed.set(OtherThread.call(() -> put(store.get(), probe(1))).join());
            }
        });
        store.set(store(index));
        fill(index, store.get());
        assertThat(armed).isFalse();
        assertThat(changed).isTrue();
    }

    /**
     * The thread that froze a page holds the memory of its successor. A thread without memory waits for it, interrupted or not.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void waitsForWhoeverHasFrozenWhereThereIsNoMemory(boolean interrupted) {
        openSmall();
        AtomicBoolean armed = new AtomicBoolean(true);
        AtomicReference<EntryStore> store = new AtomicReference<>();
        AtomicReference<@Nullable Thread> other = new AtomicReference<>();
        AtomicReference<@Nullable CompletableFuture<Boolean>> changed = new AtomicReference<>();
        Index index = index(step -> {
            if (step.equals("index.frozen") && armed.getAndSet(false)) {
                takeAllBut(0);
                changed.set(OtherThread.call(() -> {
                    other.set(Thread.currentThread());
                    if (interrupted) {
                        Thread.currentThread().interrupt();
                    }
                    return put(store.get(), probe(1)) && Thread.currentThread().isInterrupted() == interrupted;
                }));
                awaitWaiting(other, Objects.requireNonNull(changed.get()));
            }
        });
        store.set(store(index));
        fill(index, store.get());
        assertThat(Objects.requireNonNull(changed.get()).join()).isTrue();
    }

    private static void awaitWaiting(AtomicReference<@Nullable Thread> thread, CompletableFuture<Boolean> task) {
        await().pollInterval(Duration.ofMillis(1)).until(() -> {
            Thread there = thread.get();
            return task.isDone() || (there != null && there.getState() == Thread.State.TIMED_WAITING);
        });
    }

    @Test
    void losesNothingWhenThereIsNoRoom() {
        shared.close();
        shared = new TestIndex(directory, 5);
        process = shared.enter(TestIndex.OWNER);
        memory = process.memory;
        Index index = index(0);
        EntryStore store = store(index);
        long[] key = {0};
        assertThatThrownBy(() -> {
                    while (true) {
                        put(store, probe(key[0]++));
                    }
                })
                .isInstanceOf(DiskFullException.class)
                .hasMessageContaining("no room for more than " + 5 * IndexFileLayout.UNIT_STEPS
                        + " pages of the map's index; nothing was changed");
        assertThat(index.count()).isEqualTo(key[0] - 1);
        for (long present = 0; present < key[0] - 1; present++) {
            assertThat(put(store, probe(present))).isTrue();
        }
        assertThatThrownBy(() -> put(store, probe(key[0] - 1))).isInstanceOf(DiskFullException.class);
        log.sync(); // the claims were given up
    }
}
