package dev.larder.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.memory.portable.FileModes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The guarantees of a storage between processes. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
final class ProcessesTest {

    @TempDir
    Path directory;

    static Stream<Arguments> pairs() {
        return TestMachine.storages().flatMap(own -> TestMachine.storages().map(other -> Arguments.of(own, other)));
    }

    static Stream<Arguments> accesses() {
        return Stream.of("000", "022", "077")
                .flatMap(umask -> Stream.of(Access.values())
                        .flatMap(
                                access -> TestMachine.storages().map(storage -> Arguments.of(umask, access, storage))));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void anotherProcessSeesALock(Storage own, Storage other) {
        Path path = directory.resolve("file");
        try (StorageFile file = own.create(path, Access.OWNER).orElseThrow()) {
            assertThat(file.tryLock(17)).isTrue();
            assertThat(lockInAnother(other, path, 17)).isEqualTo("busy");
            assertThat(lockInAnother(other, path, 18)).isEqualTo("locked");
            file.unlock(17);
            assertThat(lockInAnother(other, path, 17)).isEqualTo("locked");
        }
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void processesShareAByte(Storage own, Storage other) throws InterruptedException {
        Path path = directory.resolve("file");
        try (StorageFile file = own.create(path, Access.OWNER).orElseThrow()) {
            assertThat(file.tryLock(17)).isTrue();
            assertThat(inAnother(other, "share", path, 17)).isEqualTo("busy");
            file.unlock(17);
            try (ChildJvm child = ChildJvm.start(other, "share", path, 17)) {
                assertThat(child.line()).isEqualTo("locked");
                assertThat(file.tryLock(17)).isFalse();
                assertThat(file.tryLockShared(17)).isTrue();
                child.kill();
            }
            assertThat(inAnother(other, "lock", path, 17)).isEqualTo("busy");
            file.unlock(17);
            assertThat(inAnother(other, "lock", path, 17)).isEqualTo("locked");
        }
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void aKilledProcessHoldsNoLock(Storage own, Storage other) throws InterruptedException {
        Path path = directory.resolve("file");
        try (StorageFile file = own.create(path, Access.OWNER).orElseThrow();
                ChildJvm child = ChildJvm.start(other, "lock", path, 17)) {
            assertThat(child.line()).isEqualTo("locked");
            assertThat(file.tryLock(17)).isFalse();
            assertThat(file.isLocked(17)).isTrue();
            child.kill();
            await().atMost(Duration.ofSeconds(30)).until(() -> !file.isLocked(17));
            await().atMost(Duration.ofSeconds(30)).until(() -> file.tryLock(17));
        }
    }

    /** The waiting process asks for five minutes; only a wake, or its own look, ends its wait within the test. */
    @ParameterizedTest
    @MethodSource("dev.larder.memory.TestMachine#storages")
    void aProcessWakesAnother(Storage storage) throws InterruptedException {
        Path path = directory.resolve("file");
        try (StorageFile file = storage.create(path, Access.OWNER).orElseThrow();
                Arena arena = Arena.ofShared()) {
            file.allocate(4096, Allocation.RESERVE);
            MemorySegment word = file.map(0, 4096, true, arena);
            try (ChildJvm child = ChildJvm.start(storage, "await", path)) {
                assertThat(child.line()).isEqualTo("waiting");
                Thread.sleep(300); // so that it most likely sleeps; right or not, it must wake
                word.set(ValueLayout.JAVA_INT, 0, 42);
                storage.sharedWait().wakeAll(word, 0);
                assertThat(child.line()).isEqualTo("word is 42");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("accesses")
    void theUmaskNeitherWidensNorNarrows(String umask, Access access, Storage storage)
            throws IOException, InterruptedException {
        assumeTrue(FileModes.isPosix(directory), "the file system has no POSIX permissions");
        try (ChildJvm child = ChildJvm.startWithUmask(umask, storage, "create", directory, access)) {
            assertThat(child.rest()).isEqualTo("done");
        }
        boolean owner = access == Access.OWNER;
        assertThat(permissions("a")).isEqualTo(owner ? "rwx------" : "rwxrwx---");
        assertThat(permissions("a/b")).isEqualTo(owner ? "rwx------" : "rwxrwx---");
        assertThat(permissions("a/b/file")).isEqualTo(owner ? "rw-------" : "rw-rw----");
    }

    private String permissions(String name) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(directory.resolve(name)));
    }

    private static String lockInAnother(Storage storage, Path path, long offset) {
        return inAnother(storage, "lock", path, offset);
    }

    private static String inAnother(Storage storage, String verb, Path path, long offset) {
        try (ChildJvm child = ChildJvm.start(storage, verb, path, offset)) {
            return child.line();
        }
    }
}
