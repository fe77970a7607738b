package dev.larder.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Memory that the system may not take. */
class PageLockingTest {

    private static final int LENGTH = 100_000;

    private static DirectoryOptions locking(PageLocking locking) {
        return DirectoryOptions.defaults().withPageLocking(locking);
    }

    @Test
    void shouldLockWhatItCanAndGoOnWithoutOtherwise() throws IOException {
        try (LarderDirectory directory = LarderDirectory.inMemory(locking(PageLocking.IF_POSSIBLE))) {
            Contents.write(directory, "file", 1, LENGTH);
            Contents.check(directory, "file", 1, LENGTH);
            long locked = directory.statistics().lockedBytes();
            assertThat(locked).isEqualTo(TestMachine.hasNativeCalls() ? locked : 0);
            directory.deleteFile("file");
            assertThat(directory.statistics().lockedBytes()).isZero();
        }
    }

    @Test
    void shouldRefuseAFileThatCannotBeLocked() throws IOException {
        try (LarderDirectory directory = LarderDirectory.inMemory(locking(PageLocking.REQUIRED))) {
            if (TestMachine.hasNativeCalls()) {
                Contents.write(directory, "file", 1, LENGTH);
                assertThat(directory.statistics().lockedBytes()).isGreaterThanOrEqualTo(LENGTH);
            } else {
                assertThatThrownBy(() -> Contents.write(directory, "file", 1, LENGTH))
                        .isInstanceOf(IOException.class)
                        .hasMessageContainingAll("file", "cannot lock", "native access");
            }
        }
    }
}
