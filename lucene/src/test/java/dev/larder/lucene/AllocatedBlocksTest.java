package dev.larder.lucene;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.store.AlreadyClosedException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Memory that the JVM gives, or refuses, where addresses cannot be reserved; the budget has room. */
class AllocatedBlocksTest {

    private static final int MIB = 1 << 20;
    private static final int LENGTH = 20 * MIB;

    @TempDir
    Path directory;

    private final MemoryBudget budget = MemoryBudget.of(1L << 30);
    private final Counters counters = new Counters();
    private final Background writing = new Background("write", 1);
    private final LimitedArena arena = new LimitedArena(8 * MIB);
    private final AllocatedBlocks blocks = new AllocatedBlocks(budget, counters, System::nanoTime, arena);
    private Folder folder;

    @BeforeEach
    void open() throws IOException {
        folder = Folder.open(directory, false);
    }

    @AfterEach
    void close() throws IOException {
        writing.finish();
        folder.close();
        assertThat(budget.usedBytes()).isZero();
    }

    private FileMemory memory(WhenFull whenFull, List<IndexFile> files) {
        DirectoryOptions options =
                DirectoryOptions.defaults().withBudget(budget).withWhenFull(whenFull);
        return new FileMemory(options, counters, () -> files, blocks);
    }

    @Test
    void shouldLeaveAFileOnTheDiskThatTheSystemHasNoMemoryFor() throws Exception {
        Contents.put(directory, "idle", 1, MIB);
        Contents.put(directory, "large", 2, LENGTH);
        IndexFile idle = IndexFile.found("idle", folder.identity("idle"));
        IndexFile large = IndexFile.found("large", folder.identity("large"));
        FileMemory memory = memory(WhenFull.LEAVE_ON_DISK, List.of(idle, large));
        Loader loader = new Loader(folder, memory, DirectoryOptions.defaults(), counters);
        loader.load(idle);
        loader.load(large);
        loader.await();
        assertThat(large.isInMemory()).isFalse();
        assertThat(idle.isInMemory())
                .as("its memory would wait, and helps nobody")
                .isTrue();
        assertThat(counters.leftOnDisk.sum()).isEqualTo(1);
        idle.delete();
        loader.close();
    }

    @Test
    void shouldRefuseWithTheCauseWhereNothingMayStayOnTheDisk() throws IOException {
        Contents.put(directory, "large", 2, LENGTH);
        IndexFile large = IndexFile.found("large", folder.identity("large"));
        assertThatThrownBy(() -> memory(WhenFull.REFUSE, List.of()).take(large))
                .isInstanceOf(BudgetFullException.class)
                .hasMessageContainingAll("large", "no memory for " + LENGTH + " bytes", "cannot allocate")
                .hasRootCauseInstanceOf(OutOfMemoryError.class);
        assertThat(counters.refused.sum()).isEqualTo(1);
    }

    @Test
    void shouldWriteAFileToTheFolderThatOutgrowsTheMemory() throws IOException {
        IndexFile file = write(memory(WhenFull.LEAVE_ON_DISK, List.of()), LENGTH);
        assertThat(file.isInMemory()).isFalse();
        assertThat(directory.resolve("written")).hasBinaryContent(Contents.of(3, LENGTH));
        file.delete();
    }

    /** A lack of memory for a smaller copy is no reason to fail. */
    @Test
    void shouldKeepALargerBlockWhereThereIsNoMemoryForACopy() throws IOException {
        arena.leftBytes.set(MIB);
        Block block = requireNonNull(blocks.tryTakeGrowing(MIB / 2, 0)); // twice the room
        assertThat(blocks.fit(block, MIB / 2)).isSameAs(block);
        block.release();
        arena.leftBytes.set(0);
        IndexFile empty = write(memory(WhenFull.REFUSE, List.of()), 0);
        assertThat(empty.isInMemory()).as("an empty file needs none").isTrue();
        empty.delete();
    }

    /** A file on the disk is written through memory outside the heap, if the JVM has any. */
    @Test
    void shouldWriteToTheDiskWithNextToNothingOutsideTheHeap() throws Exception {
        List<String> little = List.of("-XX:MaxDirectMemorySize=100k");
        assertThat(ChildJvm.run(little, WindowChild.class, directory)).contains("written");
    }

    /** Regression: the file had given its memory back before it had a window. The closing then lost bytes. */
    @Test
    void shouldEndInMemoryWhereThereIsNoWindowAtAll() throws Exception {
        List<String> little = List.of("-XX:MaxDirectMemorySize=200k", "-Xmx48m");
        assertThat(ChildJvm.run(little, WindowlessChild.class, directory)).contains("written");
    }

    /** The system fills a large block with zeros, which takes a while. */
    @Test
    void shouldGiveAndTakeOtherBlocksWhileOneIsBeingAllocated() throws Exception {
        Block before = requireNonNull(blocks.tryTake(MIB / 2));
        arena.heldBytes = MIB;
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            Future<@Nullable Block> slow = threads.submit(() -> blocks.tryTake(MIB));
            arena.isHeld.await();
            Future<?> others = threads.submit(() -> {
                before.release();
                requireNonNull(blocks.tryTake(4096)).release();
                return true;
            });
            try {
                others.get(1, TimeUnit.MINUTES);
            } finally {
                arena.goesOn.countDown();
            }
            requireNonNull(slow.get()).release();
        }
    }

    @Test
    void shouldCloseTheArenaWithTheLastBlock() throws IOException {
        Block block = requireNonNull(blocks.tryTake(MIB));
        blocks.retire();
        arena.leftBytes.set(0);
        assertThatThrownBy(() -> blocks.tryTake(MIB)).isInstanceOf(NoMemoryException.class);
        assertThat(arena.scope().isAlive()).isTrue();
        block.release();
        assertThat(arena.scope().isAlive()).isFalse();
        assertThatThrownBy(() -> blocks.tryTake(MIB)).isInstanceOf(AlreadyClosedException.class);
    }

    private IndexFile write(FileMemory memory, int length) throws IOException {
        folder.create("written", org.apache.lucene.store.IOContext.DEFAULT);
        IndexFile file = IndexFile.written("written");
        WriteBack back = new WriteBack(file, folder, writing);
        file.writeBackBy(back);
        try (LarderIndexOutput output = new LarderIndexOutput("written", file, memory, 0)) {
            output.writeBytes(Contents.of(3, length), length);
        }
        back.await();
        return file;
    }

    /** An arena with a given number of bytes. */
    private static final class LimitedArena implements Arena {

        final AtomicInteger leftBytes;
        final CountDownLatch isHeld = new CountDownLatch(1);
        final CountDownLatch goesOn = new CountDownLatch(1);
        volatile long heldBytes = -1;
        private final Arena arena = Arena.ofShared();

        LimitedArena(int bytes) {
            leftBytes = new AtomicInteger(bytes);
        }

        @Override
        public MemorySegment allocate(long bytes, long alignment) {
            if (leftBytes.get() < bytes) {
                throw new OutOfMemoryError("no more for this test");
            }
            leftBytes.addAndGet((int) -bytes);
            if (bytes == heldBytes) {
                isHeld.countDown();
                awaitUninterruptibly(goesOn);
            }
            return arena.allocate(bytes, alignment);
        }

        private static void awaitUninterruptibly(CountDownLatch latch) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public MemorySegment.Scope scope() {
            return arena.scope();
        }

        @Override
        public void close() {
            arena.close();
        }
    }
}
