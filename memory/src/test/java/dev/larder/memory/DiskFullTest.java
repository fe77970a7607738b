package dev.larder.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.memory.portable.PageTouch;
import dev.larder.memory.portable.PortableStorage;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A file system of 8 MiB that fills up. */
final class DiskFullTest {

    private static final long TOO_MUCH = 64 << 20;
    private static final int PAGE = 4096;

    @TempDir
    Path mountPoint;

    private final Arena arena = Arena.ofShared();
    private boolean mounted;

    @BeforeEach
    void mount() throws IOException, InterruptedException {
        assumeTrue(SystemStorage.isLinux(), "a small file system is mounted on Linux only");
        mounted = TestMachine.run("mount", "-t", "tmpfs", "-o", "size=8m", "larder-test", mountPoint.toString());
        assumeTrue(mounted, "mounting a small file system needs root");
    }

    @AfterEach
    void unmount() throws IOException, InterruptedException {
        arena.close();
        if (mounted) {
            assertThat(TestMachine.run("umount", mountPoint.toString())).isTrue();
        }
    }

    static Stream<Arguments> allocations() {
        return TestMachine.storages()
                .flatMap(storage -> Stream.of(Allocation.RESERVE, Allocation.ZEROS)
                        .map(allocation -> Arguments.of(storage, allocation)));
    }

    @ParameterizedTest
    @MethodSource("allocations")
    void allocationSaysSo(Storage storage, Allocation allocation) {
        try (StorageFile file = create(storage)) {
            assertThatThrownBy(() -> file.allocate(TOO_MUCH, allocation))
                    .isInstanceOf(DiskFullException.class)
                    .hasMessageContaining(file.path().toString())
                    .hasMessageContaining("67108864 bytes")
                    .hasMessageContainingAll("o space left on device");
            assertThat(file.sizeBytes()).isLessThanOrEqualTo(TOO_MUCH);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.larder.memory.TestMachine#storages")
    void writingSaysSo(Storage storage) {
        try (StorageFile file = create(storage)) {
            file.allocate(TOO_MUCH, Allocation.GROW);
            assertThatThrownBy(() -> file.write(MemorySegment.ofArray(new byte[16 << 20]), 0))
                    .isInstanceOf(DiskFullException.class);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.larder.memory.TestMachine#storages")
    void populatingSaysSo(Storage storage) {
        try (StorageFile file = create(storage)) {
            file.allocate(TOO_MUCH, Allocation.GROW);
            MemorySegment mapped = file.map(0, TOO_MUCH, true, arena);
            assertThatThrownBy(() -> storage.populateForWrite(mapped))
                    .isInstanceOf(DiskFullException.class)
                    .hasMessageContaining("the file system is full");
            assertThatThrownBy(() -> storage.populateLargePages(mapped)).isInstanceOf(DiskFullException.class);
            assertThatThrownBy(() -> storage.populateForRead(mapped)).isInstanceOf(StorageException.class);
        }
    }

    /** The fallback on kernels before 5.14, warm and compiled. */
    @Test
    void touchingSaysSo() {
        try (StorageFile file = create(PortableStorage.INSTANCE)) {
            file.allocate(TOO_MUCH, Allocation.GROW);
            MemorySegment present = file.map(0, PAGE, true, arena);
            for (int i = 0; i < 50_000; i++) {
                PageTouch.forWrite(present);
                PageTouch.forRead(present);
            }
            MemorySegment hole = file.map(0, TOO_MUCH, true, arena);
            assertThatThrownBy(() -> PageTouch.forWrite(hole)).isInstanceOf(DiskFullException.class);
            assertThatThrownBy(() -> PageTouch.forRead(hole)).isInstanceOf(StorageException.class);
            MemorySegment page = hole.asSlice(TOO_MUCH / 2, PAGE); // one touch, and no further iteration after it
            assertThatThrownBy(() -> PageTouch.forWrite(page)).isInstanceOf(DiskFullException.class);
            assertThatThrownBy(() -> PageTouch.forRead(page)).isInstanceOf(StorageException.class);
        }
    }

    /** A store to a hole that cannot be backed is an error of Java, not the end of the process. */
    @ParameterizedTest
    @MethodSource("dev.larder.memory.TestMachine#storages")
    void storingToAHoleIsAnErrorThatTheJvmSurvives(Storage storage) {
        try (StorageFile file = create(storage)) {
            file.allocate(TOO_MUCH, Allocation.GROW);
            MemorySegment mapped = file.map(0, TOO_MUCH, true, arena);
            assertThatThrownBy(() -> mapped.fill((byte) 1)).isInstanceOf(InternalError.class);
            assertThatThrownBy(() -> {
                        for (long offset = 0; offset < TOO_MUCH; offset += PAGE) {
                            mapped.set(ValueLayout.JAVA_LONG, offset, offset);
                        }
                    })
                    .isInstanceOf(InternalError.class);
            assertThat(mapped.get(ValueLayout.JAVA_BYTE, 100)).isEqualTo((byte) 1);
            file.forceAll();
        }
    }

    private StorageFile create(Storage storage) {
        return storage.create(mountPoint.resolve("file"), Access.OWNER).orElseThrow();
    }
}
