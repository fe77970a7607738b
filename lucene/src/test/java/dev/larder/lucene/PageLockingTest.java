package dev.larder.lucene;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.memory.AddressReservation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Locked memory, which the system may not take. */
class PageLockingTest {

    private static final int LENGTH = 100_000;

    /** The command for a process that may lock 64 KiB, whichever user starts it. */
    private static final List<String> LIMITED =
            List.of("prlimit", "--memlock=65536:65536", "setpriv", "--bounding-set=-ipc_lock", "--inh-caps=-ipc_lock");

    private static DirectoryOptions locking(PageLocking locking) {
        return DirectoryOptions.defaults().withPageLocking(locking);
    }

    @Test
    void shouldLockWhatItCanAndGoOnWithoutOtherwise() throws IOException {
        try (LarderDirectory directory = LarderDirectory.inMemory(locking(PageLocking.IF_POSSIBLE))) {
            Contents.write(directory, "file", 1, LENGTH);
            Contents.check(directory, "file", 1, LENGTH);
            long locked = directory.statistics().lockedBytes();
            assertThat(locked).isIn(0L, TestMachine.hasNativeCalls() ? 102_400L : 0L); // the limit may be low
            directory.deleteFile("file");
            assertThat(directory.statistics().lockedBytes()).isZero();
        }
    }

    private static boolean mayLock() {
        try (AddressReservation probe = AddressReservation.reserve(1 << 20)) {
            return probe.lock(0, 1 << 20).isEmpty();
        }
    }

    @Test
    void shouldRefuseAFileThatCannotBeLocked() throws IOException {
        try (LarderDirectory directory = LarderDirectory.inMemory(locking(PageLocking.REQUIRED))) {
            if (TestMachine.hasNativeCalls()) {
                assumeTrue(mayLock(), "this process may lock too little");
                Contents.write(directory, "file", 1, LENGTH);
                assertThat(directory.statistics().lockedBytes()).isGreaterThanOrEqualTo(LENGTH);
            } else {
                assertThatThrownBy(() -> Contents.write(directory, "file", 1, LENGTH))
                        .isInstanceOf(IOException.class)
                        .hasMessageContainingAll("file", "cannot lock", "native access");
            }
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = PageLocking.class,
            names = {"IF_POSSIBLE", "REQUIRED"})
    void shouldDoAsItIsToldWhereTheLimitIsTooLow(PageLocking locking) throws Exception {
        assumeTrue(TestMachine.hasNativeCalls(), "nothing is locked without native calls");
        List<String> command = new ArrayList<>(LIMITED);
        command.addAll(ChildJvm.of(List.of(), LockingChild.class, locking).command());
        Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
        String text = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assumeTrue(child.waitFor() == 0, "prlimit or setpriv (util-linux) cannot set the limit");
        assertThat(text).contains("65536 bytes", "RLIMIT_MEMLOCK").contains(outcome(locking));
    }

    private static String outcome(PageLocking locking) {
        return locking == PageLocking.REQUIRED ? "refused: file: cannot lock" : "locked 0";
    }
}
