package dev.larder.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

@NativeAccess
final class LinuxStorageTest extends StorageContract {

    @Override
    Storage storage() {
        return LinuxStorage.INSTANCE;
    }

    @Test
    void reservesSpaceWithoutWritingIt() {
        try (StorageFile file = allocated("file", 64 << 20)) {
            MemorySegment mapped = file.map(0, 64 << 20, false, arena);
            assertThat(storage.isResident(mapped.asSlice(0, 1))).isFalse();
        }
    }

    /** POSIX drops a process's locks on a file when any descriptor of it is closed; these are of the open file. */
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

    /** Where locks belong to the process, as {@code FileChannel} has them, the second is refused. */
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
            // The end that is waited for.
        }
    }
}
