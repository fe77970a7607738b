package dev.larder.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.atIndex;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The guarantees of every storage; a subclass for each storage runs these tests. */
public abstract class StorageContract {

    public static final int PAGE = 4096;

    public final Storage storage = storage();
    public final Arena arena = Arena.ofShared();

    @TempDir
    public Path directory;

    protected abstract Storage storage();

    @AfterEach
    void unmap() {
        arena.close();
    }

    @Test
    void createsAFileOnce() {
        Path path = directory.resolve("file");
        try (StorageFile file = storage.create(path, Access.OWNER).orElseThrow()) {
            assertThat(file.path()).isEqualTo(path);
            assertThat(file.sizeBytes()).isZero();
            assertThat(storage.create(path, Access.OWNER)).isEmpty();
        }
        assertThat(storage.create(path, Access.OWNER)).isEmpty();
    }

    @Test
    void opensWhatIsThereAndNothingElse() {
        assertThat(storage.open(directory.resolve("none"), false)).isEmpty();
        assertThat(storage.open(directory.resolve("none/file"), true)).isEmpty();
        create("file").close();
        try (StorageFile file = open("file", false)) {
            assertThat(file.sizeBytes()).isZero();
        }
    }

    /** An error says nothing about the file: it may be there. */
    @Test
    void tellsAMissingFileFromOneThatCannotBeLookedFor() {
        assertThat(storage.fileIdentity(directory.resolve("none/file"))).isEmpty();
        Path refused = directory.resolve("x".repeat(300));
        assertThatThrownBy(() -> storage.fileIdentity(refused))
                .isInstanceOf(StorageException.class)
                .hasMessageStartingWith(refused + ": cannot tell whether the file is there: ");
    }

    @Test
    void saysWhichDirectoryIsMissing() {
        Path path = directory.resolve("none/file");
        assertThatThrownBy(() -> storage.create(path, Access.OWNER))
                .isInstanceOf(StorageException.class)
                .hasMessageStartingWith(path + ": cannot create the file: no such file or directory");
    }

    @Test
    void refusesWhatIsNoFile() {
        assertThatThrownBy(() -> storage.open(directory, false))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("not a regular file");
    }

    @Test
    void followsNoSymbolicLink() throws IOException {
        create("file").close();
        Path link = Files.createSymbolicLink(directory.resolve("link"), directory.resolve("file"));
        Path dangling = Files.createSymbolicLink(directory.resolve("dangling"), directory.resolve("elsewhere"));
        for (boolean writable : new boolean[] {false, true}) {
            assertThatThrownBy(() -> storage.open(link, writable))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("symbolic link, which Larder refuses");
        }
        assertThat(storage.create(dangling, Access.OWNER)).isEmpty();
        assertThat(directory.resolve("elsewhere")).doesNotExist();
    }

    @Test
    void opensAPathOfAnyLetters() {
        assumeTrue(
                Charset.forName(System.getProperty("sun.jnu.encoding"))
                        .newEncoder()
                        .canEncode("größe 箱 $x"),
                "names of files are limited to " + System.getProperty("sun.jnu.encoding")
                        + ": LANG is not set to UTF-8");
        create("größe 箱 $x").close();
        assertThat(storage.list(directory)).containsExactly("größe 箱 $x");
        open("größe 箱 $x", true).close();
    }

    @ParameterizedTest
    @EnumSource(Allocation.class)
    void allocatesZeros(Allocation allocation) throws IOException {
        int bytes = 3 * (1 << 20) + PAGE; // not a whole number of blocks
        try (StorageFile file = create("file")) {
            file.allocate(bytes, allocation);
            assertThat(file.sizeBytes()).isEqualTo(bytes);
            MemorySegment mapped = file.map(0, bytes, false, arena);
            assertThat(mapped.mismatch(MemorySegment.ofArray(new byte[bytes]))).isEqualTo(-1);
        }
        assertThat(Files.readAllBytes(directory.resolve("file"))).hasSize(bytes).containsOnly(0);
    }

    @ParameterizedTest
    @EnumSource(Allocation.class)
    void allocationKeepsWhatIsThereAndCutsNothing(Allocation allocation) {
        try (StorageFile file = create("file")) {
            file.allocate(PAGE, allocation);
            file.write(MemorySegment.ofArray(new byte[] {7}), 1);
            file.allocate(2 * PAGE, allocation);
            MemorySegment mapped = file.map(0, 2 * PAGE, false, arena);
            assertThat(mapped.get(ValueLayout.JAVA_BYTE, 1)).isEqualTo((byte) 7);
            assertThatThrownBy(() -> file.allocate(PAGE, allocation))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("the file is 8192 bytes long already");
            assertThat(file.sizeBytes()).isEqualTo(2 * PAGE);
        }
    }

    @Test
    void aMappingIsTheFile() throws IOException {
        try (StorageFile file = allocated("file", 4 * PAGE)) {
            MemorySegment later = file.map(2 * PAGE, PAGE, true, arena);
            MemorySegment all = file.map(0, 4 * PAGE, false, arena);
            later.set(ValueLayout.JAVA_BYTE, 5, (byte) 9);
            assertThat(later.byteSize()).isEqualTo(PAGE);
            assertThat(all.get(ValueLayout.JAVA_BYTE, 2 * PAGE + 5)).isEqualTo((byte) 9);
            assertThat(all.isReadOnly()).isTrue();
        }
        assertThat(Files.readAllBytes(directory.resolve("file"))[2 * PAGE + 5]).isEqualTo((byte) 9);
    }

    @Test
    void aMappingOutlivesItsFile() {
        StorageFile file = allocated("file", PAGE);
        MemorySegment mapped = file.map(0, PAGE, true, arena);
        file.close();
        mapped.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
        assertThat(mapped.get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 1);
    }

    @Test
    void aMappingEndsWithItsArena() {
        try (StorageFile file = allocated("file", PAGE)) {
            Arena own = Arena.ofShared();
            MemorySegment mapped = file.map(0, PAGE, true, own);
            own.close();
            assertThatThrownBy(() -> mapped.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> storage.populateForWrite(mapped)).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void mapsOnlyWhatTheFileHas() {
        try (StorageFile file = allocated("file", 2 * PAGE)) {
            assertThatThrownBy(() -> file.map(PAGE, 2 * PAGE, true, arena))
                    .isInstanceOf(TruncatedException.class)
                    .hasMessageEndingWith("file: cannot map 8192 bytes at 4096: the file is 8192 bytes long");
            assertThatThrownBy(() -> file.map(0, 0, true, arena)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> file.map(-PAGE, PAGE, true, arena)).isInstanceOf(IllegalArgumentException.class);
            assertThat(file.sizeBytes()).isEqualTo(2 * PAGE);
        }
    }

    @Test
    void mapsForAllThreadsOnly() {
        try (StorageFile file = allocated("file", PAGE);
                Arena confined = Arena.ofConfined()) {
            assertThatThrownBy(() -> file.map(0, PAGE, true, confined)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void anAutomaticArenaWillDo() {
        try (StorageFile file = allocated("file", PAGE)) {
            assertThat(file.map(0, PAGE, true, Arena.ofAuto()).get(ValueLayout.JAVA_INT, 0))
                    .isZero();
        }
    }

    static Stream<MemorySegment> sources() {
        byte[] bytes = new byte[3 * (1 << 20) + 17];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (i * 31);
        }
        MemorySegment heap = MemorySegment.ofArray(bytes);
        MemorySegment words = MemorySegment.ofArray(new long[bytes.length / Long.BYTES + 1])
                .copyFrom(heap)
                .asSlice(0, bytes.length);
        return Stream.of(
                heap,
                heap.asReadOnly(),
                words,
                MemorySegment.ofBuffer(ByteBuffer.allocateDirect(bytes.length)).copyFrom(heap));
    }

    @ParameterizedTest
    @MethodSource("sources")
    void writesAllOfASource(MemorySegment source) throws IOException {
        try (StorageFile file = allocated("file", 4 << 20)) {
            file.write(source, 100);
            assertThat(file.sizeBytes()).isEqualTo(4 << 20);
        }
        byte[] found = Files.readAllBytes(directory.resolve("file"));
        assertThat(Arrays.copyOfRange(found, 100, 100 + (int) source.byteSize()))
                .isEqualTo(source.toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void writesASourceOfOneThread() throws IOException {
        try (StorageFile file = allocated("file", PAGE);
                Arena confined = Arena.ofConfined()) {
            file.write(confined.allocateFrom("confined"), 8);
        }
        assertThat(Files.readAllBytes(directory.resolve("file"))).contains((byte) 'c', atIndex(8));
    }

    @Test
    void mappingsSeeWritesWhereThatIsPromised() {
        try (StorageFile file = allocated("file", PAGE)) {
            MemorySegment mapped = file.map(0, PAGE, true, arena);
            assertThat(file.writesAreCoherent()).isEqualTo(storage.isNative());
            file.write(MemorySegment.ofArray(new byte[] {1, 2, 3}), 10);
            if (file.writesAreCoherent()) {
                assertThat(mapped.get(ValueLayout.JAVA_BYTE, 12)).isEqualTo((byte) 3);
            }
        }
    }

    @Test
    void flushes() {
        try (StorageFile file = allocated("file", 8 * PAGE)) {
            MemorySegment mapped = file.map(0, 8 * PAGE, true, arena);
            mapped.fill((byte) 1);
            file.startWriteback(0, 8 * PAGE);
            file.force(mapped.asSlice(PAGE + 24, 100)); // not on a page's boundary
            file.force(mapped);
            file.forceAll();
            storage.syncDirectory(directory);
        }
        Path missing = directory.resolve("missing");
        assertThatThrownBy(() -> storage.syncDirectory(missing)).isInstanceOf(StorageException.class);
    }

    @Test
    void populatingLargePagesChangesNoByte() {
        int bytes = 4 << 20;
        try (StorageFile file = create("file")) {
            file.allocate(bytes, Allocation.GROW);
            MemorySegment mapped = file.map(0, bytes, true, arena);
            mapped.set(ValueLayout.JAVA_LONG, 3 << 20, 0x0102030405060708L);
            storage.populateLargePages(mapped);
            assertThat(storage.isResident(mapped)).isTrue();
            assertThat(mapped.get(ValueLayout.JAVA_LONG, 3 << 20)).isEqualTo(0x0102030405060708L);
            mapped.set(ValueLayout.JAVA_LONG, 3 << 20, 0);
            assertThat(mapped.mismatch(MemorySegment.ofArray(new byte[bytes]))).isEqualTo(-1);
        }
    }

    @Test
    void populatingChangesNoByte() {
        try (StorageFile file = create("file")) {
            file.allocate(64 * PAGE, Allocation.GROW);
            MemorySegment mapped = file.map(0, 64 * PAGE, true, arena);
            assertThat(storage.isResident(mapped)).isFalse();
            mapped.set(ValueLayout.JAVA_LONG, 8 * PAGE, 0x0102030405060708L);
            storage.populateForWrite(mapped.asSlice(3, 63 * PAGE));
            storage.populateForRead(mapped.asSlice(PAGE - 1, 5));
            storage.populateForWrite(mapped);
            assertThat(storage.isResident(mapped)).isTrue();
            assertThat(mapped.get(ValueLayout.JAVA_LONG, 8 * PAGE)).isEqualTo(0x0102030405060708L);
            mapped.set(ValueLayout.JAVA_LONG, 8 * PAGE, 0);
            assertThat(mapped.mismatch(MemorySegment.ofArray(new byte[64 * PAGE])))
                    .isEqualTo(-1);
        }
    }

    @Test
    void expectingAnyOrderChangesNoByte() {
        try (StorageFile file = create("file")) {
            file.allocate(64 * PAGE, Allocation.ZEROS);
            MemorySegment mapped = file.map(0, 64 * PAGE, true, arena);
            long value = 7;
            for (AccessOrder order : AccessOrder.values()) {
                storage.expect(mapped, order);
                mapped.set(ValueLayout.JAVA_LONG, 8 * PAGE, ++value);
                storage.releasePageTables(mapped);
                assertThat(mapped.get(ValueLayout.JAVA_LONG, 8 * PAGE)).isEqualTo(value);
                storage.populateForRead(mapped);
                assertThat(storage.isResident(mapped)).isTrue();
            }
        }
    }

    /** Where pages cannot be locked the storage says why; loads and stores work in either case. */
    @Test
    void lockingPagesChangesNoByte() {
        try (StorageFile file = create("file")) {
            file.allocate(64 * PAGE, Allocation.ZEROS);
            MemorySegment mapped = file.map(0, 64 * PAGE, true, arena);
            Optional<String> refusal = storage.lockPages(mapped.asSlice(3, 10 * PAGE));
            assertThat(refusal.isPresent()).isEqualTo(!storage.isNative());
            refusal.ifPresent(why -> assertThat(why).contains("native access"));
            mapped.set(ValueLayout.JAVA_LONG, 8 * PAGE, 7);
            storage.releasePageTables(mapped);
            storage.unlockPages(mapped);
            storage.releasePageTables(mapped);
            assertThat(mapped.get(ValueLayout.JAVA_LONG, 8 * PAGE)).isEqualTo(7);
        }
    }

    @Test
    void aFileForReadingIsNotWritten() {
        allocated("file", PAGE).close();
        try (StorageFile file = open("file", false)) {
            assertThat(file.map(0, PAGE, false, arena).isReadOnly()).isTrue();
            assertThatThrownBy(() -> file.map(0, PAGE, true, arena)).isInstanceOf(StorageException.class);
            assertThatThrownBy(() -> file.write(MemorySegment.ofArray(new byte[1]), 0))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("opened for reading only");
            assertThatThrownBy(() -> file.allocate(2 * PAGE, Allocation.ZEROS)).isInstanceOf(StorageException.class);
            assertThatThrownBy(() -> file.tryLock(0)).isInstanceOf(StorageException.class);
            assertThat(file.tryLockShared(0)).isTrue();
        }
    }

    @Test
    void aClosedFileSaysSo() {
        StorageFile file = allocated("file", PAGE);
        assertThat(file.tryLockShared(1)).isTrue();
        file.close();
        file.close();
        assertThatThrownBy(file::sizeBytes)
                .isInstanceOf(ClosedException.class)
                .hasMessage(directory.resolve("file") + ": cannot read its size: the file is closed");
        assertThatThrownBy(() -> file.map(0, PAGE, true, arena)).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> file.write(MemorySegment.ofArray(new byte[1]), 0))
                .isInstanceOf(ClosedException.class);
        assertThatThrownBy(file::forceAll).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> file.tryLock(0)).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> file.tryLockShared(0)).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> file.tryLockShared(1)).isInstanceOf(ClosedException.class);
        assertThatThrownBy(() -> file.allocate(2 * PAGE, Allocation.RESERVE)).isInstanceOf(ClosedException.class);
    }

    @Test
    void aFileLocksAByteOnce() {
        try (StorageFile file = create("file")) {
            assertThat(file.tryLock(3)).isTrue();
            assertThat(file.tryLock(3)).isFalse();
            assertThat(file.tryLock(4)).isTrue();
            file.unlock(3);
            assertThat(file.tryLock(3)).isTrue();
            file.unlock(99);
        }
    }

    @Test
    void twoFilesOfAProcessExcludeEachOther() {
        try (StorageFile first = create("file");
                StorageFile second = open("file", true)) {
            assertThat(first.tryLock(1L << 40)).isTrue();
            assertThat(second.tryLock(1L << 40)).isFalse();
            assertThat(second.tryLock(7)).isTrue();
            first.unlock(1L << 40);
            assertThat(second.tryLock(1L << 40)).isTrue();
        }
    }

    /** The threads of a process share one file object, which the system takes for one holder. */
    @Test
    void aFileSharesAByteAsOftenAsItIsAskedTo() {
        try (StorageFile file = create("file")) {
            assertThat(file.tryLockShared(3)).isTrue();
            assertThat(file.tryLockShared(3)).isTrue();
            assertThat(file.tryLock(3)).isFalse();
            file.unlock(3);
            assertThat(file.tryLock(3)).isFalse();
            file.unlock(3);
            assertThat(file.tryLock(3)).isTrue();
            assertThat(file.tryLockShared(3)).isFalse();
            file.unlock(3);
            assertThat(file.tryLockShared(3)).isTrue();
        }
    }

    @Test
    void aByteThatIsSharedIsNobodysAlone() {
        try (StorageFile first = create("file");
                StorageFile second = open("file", true)) {
            assertThat(first.tryLockShared(1L << 40)).isTrue();
            assertThat(first.tryLockShared(1L << 40)).isTrue();
            first.unlock(1L << 40);
            assertThat(second.tryLock(1L << 40)).isFalse();
            first.unlock(1L << 40);
            assertThat(second.tryLock(1L << 40)).isTrue();
            assertThat(first.tryLockShared(1L << 40)).isFalse();
            second.unlock(1L << 40);
            assertThat(first.tryLockShared(1L << 40)).isTrue();
        }
    }

    @Test
    void aFileTellsWhetherAByteIsHeldAlone() {
        try (StorageFile holder = create("file");
                StorageFile reader = open("file", false)) {
            assertThat(holder.isLocked(5)).isFalse();
            assertThat(reader.isLocked(5)).isFalse();
            assertThat(holder.tryLock(5)).isTrue();
            assertThat(holder.isLocked(5)).isTrue();
            assertThat(reader.isLocked(5)).isTrue();
            assertThat(reader.isLocked(6)).isFalse();
            holder.unlock(5);
            assertThat(holder.tryLockShared(5)).isTrue();
            assertThat(holder.isLocked(5)).isFalse();
        }
    }

    @Test
    void closingFreesWhatAFileHolds() {
        try (StorageFile other = create("file")) {
            StorageFile file = open("file", true);
            assertThat(file.tryLock(1)).isTrue();
            assertThat(file.tryLockShared(2)).isTrue();
            assertThat(file.tryLockShared(2)).isTrue();
            file.close();
            assertThat(other.tryLock(1)).isTrue();
            assertThat(other.tryLock(2)).isTrue();
        }
    }

    @Test
    void linksOnce() throws IOException {
        create("file").close();
        create("taken").close();
        assertThat(storage.link(directory.resolve("file"), directory.resolve("name")))
                .isTrue();
        assertThat(storage.link(directory.resolve("file"), directory.resolve("name")))
                .isFalse();
        assertThat(storage.link(directory.resolve("file"), directory.resolve("taken")))
                .isFalse();
        assertThat(Files.isSameFile(directory.resolve("file"), directory.resolve("name")))
                .isTrue();
        assertThatThrownBy(() -> storage.link(directory.resolve("missing"), directory.resolve("other")))
                .isInstanceOf(StorageException.class);
    }

    /** The kernel's own files have one name each, and the kernel reports that as it does on FAT. */
    @Test
    void saysWhereThereAreNoHardLinks() throws IOException {
        Path kernel = Path.of("/sys/kernel");
        assumeTrue(
                Files.isWritable(kernel), "trying to link a file of sysfs needs root, and sysfs mounted for writing");
        try (Stream<Path> files = Files.list(kernel)) {
            Path existing = files.filter(Files::isRegularFile).findFirst().orElseThrow();
            assertThatThrownBy(() -> storage.link(existing, kernel.resolve("another-name")))
                    .isInstanceOf(UnsupportedFileSystemException.class)
                    .hasMessageContainingAll(existing.toString(), "another-name", "no hard links", "of type sysfs");
        }
    }

    @Test
    void renamesOverWhatIsThere() throws IOException {
        Files.write(directory.resolve("source"), new byte[] {1});
        Files.write(directory.resolve("target"), new byte[] {2});
        assertThat(storage.rename(directory.resolve("source"), directory.resolve("target")))
                .isTrue();
        assertThat(storage.rename(directory.resolve("source"), directory.resolve("target")))
                .isFalse();
        assertThat(Files.readAllBytes(directory.resolve("target"))).containsExactly(1);
        assertThatThrownBy(() -> storage.rename(directory.resolve("target"), directory.resolve("none/x")))
                .isInstanceOf(StorageException.class);
    }

    @Test
    void deletesAFileOnce() {
        create("file").close();
        assertThat(storage.delete(directory.resolve("file"))).isTrue();
        assertThat(storage.delete(directory.resolve("file"))).isFalse();
        assertThatThrownBy(() -> storage.delete(directory)).isInstanceOf(StorageException.class);
        assertThat(directory).exists();
    }

    @Test
    void listsNames() {
        assertThat(storage.list(directory.resolve("none"))).isEmpty();
        create("a").close();
        create("b").close();
        assertThat(storage.list(directory)).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void createsDirectoriesThatAreMissing() throws IOException {
        Path real = Files.createDirectory(directory.resolve("real"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), real);
        storage.createDirectories(link.resolve("a/b"), Access.OWNER);
        storage.createDirectories(link.resolve("a/b"), Access.OWNER);
        assertThat(real.resolve("a/b")).isDirectory();
        create("file").close();
        assertThatThrownBy(() -> storage.createDirectories(directory.resolve("file"), Access.OWNER))
                .isInstanceOf(StorageException.class);
    }

    @Test
    void tellsWhereItStands() {
        assertThat(storage.fileSystem(directory).name()).isNotEmpty();
        assertThat(storage.bootIdentity()).isEqualTo(storage.bootIdentity());
        assertThat(storage.mountIdentity(directory)).isEqualTo(storage.mountIdentity(directory));
        assertThatThrownBy(() -> storage.fileSystem(directory.resolve("none"))).isInstanceOf(StorageException.class);
    }

    public StorageFile create(String name) {
        return storage.create(directory.resolve(name), Access.OWNER).orElseThrow();
    }

    public StorageFile open(String name, boolean writable) {
        return storage.open(directory.resolve(name), writable).orElseThrow();
    }

    public StorageFile allocated(String name, long bytes) {
        StorageFile file = create(name);
        file.allocate(bytes, Allocation.RESERVE);
        return file;
    }
}
