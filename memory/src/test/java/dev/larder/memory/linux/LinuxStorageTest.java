package dev.larder.memory.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.memory.Access;
import dev.larder.memory.Allocation;
import dev.larder.memory.ChildJvm;
import dev.larder.memory.ClosedException;
import dev.larder.memory.NativeAccess;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageContract;
import dev.larder.memory.StorageFile;
import dev.larder.memory.TestMachine;
import dev.larder.memory.TruncatedException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@NativeAccess
final class LinuxStorageTest extends StorageContract {

    private static final long LARGE_PAGES = 2 * AlignedMapping.LARGE_PAGE_BYTES;

    @Override
    protected Storage storage() {
        return LinuxStorage.INSTANCE;
    }

    @Test
    void reservesSpaceWithoutWritingIt() {
        try (StorageFile file = allocated("file", 64 << 20)) {
            MemorySegment mapped = file.map(0, 64 << 20, false, arena);
            assertThat(storage.isResident(mapped.asSlice(0, 1))).isFalse();
        }
    }

    /** Mappings see the zeros at once; the pages are gone, the neighbours are not. */
    @Test
    void declaresARangeZeros() throws IOException {
        try (StorageFile file = allocated("file", 64 * PAGE)) {
            MemorySegment mapped = file.map(0, 64 * PAGE, true, arena);
            mapped.fill((byte) 7);
            assumeTrue(file.clear(16 * PAGE, 16 * PAGE), "the file system declares no ranges zeros");
            for (long at = 0; at < 64 * PAGE; at += PAGE) {
                boolean cleared = at >= 16 * PAGE && at < 32 * PAGE;
                assertThat(mapped.get(ValueLayout.JAVA_BYTE, at)).isEqualTo((byte) (cleared ? 0 : 7));
            }
            assertThat(Files.size(file.path())).isEqualTo(64 * PAGE);
            assertThatThrownBy(() -> file.clear(60 * PAGE, 16 * PAGE)).isInstanceOf(TruncatedException.class);
        }
    }

    /** POSIX drops a process's locks on a file when any descriptor of it is closed; these locks belong to the open file. */
    @Test
    void keepsALockWhenAnotherDescriptorIsClosed() {
        try (StorageFile holder = create("file")) {
            assertThat(holder.tryLock(5)).isTrue();
            open("file", true).close();
            try (StorageFile other = open("file", true)) {
                assertThat(other.tryLock(5)).isFalse();
            }
        }
    }

    /** Where locks belong to the process, as with {@code FileChannel}, the second lock is refused. */
    @Test
    void twoFilesOfAProcessShareAByte() {
        try (StorageFile first = create("file");
                StorageFile second = open("file", true);
                StorageFile third = open("file", true)) {
            assertThat(first.tryLockShared(5)).isTrue();
            assertThat(second.tryLockShared(5)).isTrue();
            first.unlock(5);
            assertThat(third.tryLock(5)).isFalse();
            second.unlock(5);
            assertThat(third.tryLock(5)).isTrue();
        }
    }

    @Test
    void keepsPagesInMemoryUntilTheyAreUnlockedOrUnmapped() throws IOException {
        long before = lockedKibibytes();
        try (StorageFile file = allocated("file", 16 * PAGE);
                Arena mapping = Arena.ofShared()) {
            MemorySegment mapped = file.map(0, 16 * PAGE, true, mapping);
            assertThat(storage.lockPages(mapped)).isEmpty();
            assertThat(lockedKibibytes() - before).isEqualTo((16 * PAGE) >> 10);
            storage.unlockPages(mapped.asSlice(0, 4 * PAGE));
            assertThat(lockedKibibytes() - before).isEqualTo((12 * PAGE) >> 10);
            storage.unlockPages(mapped.asSlice(0, 4 * PAGE)); // pages that are not locked may be unlocked
        }
        assertThat(lockedKibibytes()).isEqualTo(before);
    }

    /** The child inherits this process's limit; a process that may lock everything gives that up with the capability. */
    @Test
    void namesTheLimitWhenPagesMayNotBeLocked() throws Exception {
        List<String> limited = new ArrayList<>(List.of("prlimit", "--memlock=65536:65536"));
        if (mayLockAnything()) {
            limited.addAll(List.of("setpriv", "--bounding-set=-ipc_lock", "--inh-caps=-ipc_lock"));
        }
        List<String> probe = new ArrayList<>(limited);
        probe.add("true");
        assumeTrue(
                TestMachine.run(probe.toArray(String[]::new)), "prlimit or setpriv (util-linux) cannot set the limit");
        try (ChildJvm child = ChildJvm.startUnder(limited, storage, "lock-pages", directory.resolve("file"))) {
            assertThat(child.line()).contains("65536 bytes").contains("RLIMIT_MEMLOCK");
        }
    }

    /** Linux lists {@code hg} among the flags of the mapping, which ends where the next one begins. */
    @Test
    void asksForLargePages() throws IOException {
        try (StorageFile file = allocated("file", 4 << 20);
                Arena mapping = Arena.ofShared()) {
            MemorySegment mapped = file.map(0, 4 << 20, true, mapping);
            assertThat(flags(mapped)).isNotEmpty().doesNotContain("hg");
            Optional<String> refusal = storage.preferHugePages(mapped);
            assumeTrue(refusal.isEmpty(), "this kernel: " + refusal);
            assertThat(flags(mapped)).contains("hg");
        }
    }

    /** Independent of the file system. The part begins at offset 0 of the file, or one page behind it. */
    @ParameterizedTest
    @ValueSource(longs = {0, PAGE})
    void mapsWhereLargePagesCanLie(long offset) throws IOException {
        try (InMemory memory = new InMemory()) {
            for (int i = 0; i < 3; i++) {
                MemorySegment mapped = memory.file.map(offset, LARGE_PAGES - offset, true, memory.arena);
                assertThat((mapped.address() - offset) % AlignedMapping.LARGE_PAGE_BYTES)
                        .isZero();
                mapped.set(ValueLayout.JAVA_LONG, LARGE_PAGES - offset - 8, i);
            }
            assertThat(memory.file.map(0, LARGE_PAGES, false, memory.arena).get(ValueLayout.JAVA_LONG, LARGE_PAGES - 8))
                    .isEqualTo(2);
        }
    }

    @Test
    void putsLargePagesUnderFilesInMemory() throws IOException {
        assumeTrue(LinuxPages.PAGE_BYTES == PAGE, "large pages of this machine have another size");
        try (InMemory memory = new InMemory();
                InMemory other = new InMemory()) {
            MemorySegment probe =
                    other.file.map(0, LARGE_PAGES, true, other.arena).fill((byte) 1);
            long result = LinuxPages.around(probe).advise(probe, LinuxCalls.MADV_COLLAPSE);
            assumeTrue(result == 0, "this kernel puts no large pages together, or has none left");
            MemorySegment mapped = memory.file.map(0, LARGE_PAGES, true, memory.arena);
            storage.populateLargePages(mapped);
            long start = mapped.address();
            assertThat(LinuxMappings.sum("ShmemPmdMapped:", start, start + LARGE_PAGES))
                    .isEqualTo(LARGE_PAGES);
        }
    }

    /** A file of a memory file system. */
    private final class InMemory implements AutoCloseable {

        final Path path = Path.of("/dev/shm").resolve("larder-test-" + UUID.randomUUID());
        final Arena arena = Arena.ofShared();
        final StorageFile file;

        InMemory() {
            assumeTrue(Files.isWritable(path.getParent()), "no /dev/shm");
            file = storage.create(path, Access.OWNER).orElseThrow();
            file.allocate(LARGE_PAGES, Allocation.GROW);
        }

        @Override
        public void close() {
            arena.close();
            file.close();
            storage.delete(path);
        }
    }

    private static List<String> flags(MemorySegment mapped) throws IOException {
        String start = Long.toHexString(mapped.address()) + "-";
        boolean within = false;
        for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
            within |= line.startsWith(start);
            if (within && line.startsWith("VmFlags:")) {
                return List.of(line.substring("VmFlags:".length()).strip().split(" ", -1));
            }
        }
        return List.of();
    }

    private static boolean mayLockAnything() throws IOException {
        return ((Long.parseLong(status("CapEff"), 16) >> 14) & 1) == 1;
    }

    private static long lockedKibibytes() throws IOException {
        return Long.parseLong(status("VmLck").replace(" kB", "").strip());
    }

    private static String status(String name) throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void closesOnlyWhenEveryCallHasReturned() throws InterruptedException {
        for (int round = 0; round < 200; round++) {
            StorageFile file = allocated("file" + round, PAGE);
            CountDownLatch started = new CountDownLatch(1);
            Thread writer = Thread.ofPlatform().start(() -> writeUntilClosed(file, started));
            started.await();
            file.close();
            // Takes the number of the descriptor that was closed: a late write would land here.
            try (StorageFile next = allocated("next" + round, PAGE)) {
                writer.join();
                MemorySegment mapped = next.map(0, PAGE, false, arena);
                assertThat(mapped.get(ValueLayout.JAVA_BYTE, 0)).isZero();
            }
        }
    }

    private static void writeUntilClosed(StorageFile file, CountDownLatch started) {
        MemorySegment one = MemorySegment.ofArray(new byte[] {1});
        try {
            while (true) {
                file.write(one, 0);
                started.countDown();
            }
        } catch (ClosedException e) {
            // The expected end.
        }
    }
}
