package dev.larder.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.memory.linux.LinuxPages;
import dev.larder.tests.support.OtherThread;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Addresses that cost nothing until they are touched. */
final class AddressReservationTest {

    private static final long MANY = 1L << 40;
    private static final long UNIT = AddressReservation.ALIGNMENT_BYTES;

    @Test
    void saysThatItNeedsNativeAccess() {
        assumeTrue(!TestMachine.hasNativeCalls(), "this pass makes native calls");
        assertThat(AddressReservation.unavailable()).isPresent();
        assertThatThrownBy(() -> AddressReservation.reserve(1)).isInstanceOf(UnsupportedRegionException.class);
        assertThat(AddressReservation.lockableBytes()).isEmpty();
    }

    @Test
    void refusesNothing() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> AddressReservation.reserve(0))
                .withMessageContaining("0");
    }

    @NativeAccess
    @Nested
    final class WithNativeCalls {

        @Test
        void takesMemoryForWhatIsTouchedAlone() {
            try (AddressReservation reservation = AddressReservation.reserve(MANY)) {
                MemorySegment segment = reservation.segment();
                assertThat(segment.byteSize()).isEqualTo(MANY);
                assertThat(segment.address() % UNIT).isZero();
                assertThat(reservation.residentBytes()).isZero();
                segment.asSlice(MANY - UNIT, 10 * LinuxPages.PAGE_BYTES).fill((byte) 1);
                assertThat(reservation.residentBytes()).isEqualTo(10 * LinuxPages.PAGE_BYTES);
            }
        }

        @Test
        void givesWholePagesBackAsZeros() {
            try (AddressReservation reservation = AddressReservation.reserve(UNIT)) {
                long page = LinuxPages.PAGE_BYTES;
                reservation.segment().asSlice(0, 4 * page).fill((byte) 7);
                reservation.release(page / 2, 3 * page);
                assertThat(reservation.residentBytes()).isEqualTo(2 * page);
                assertThat(reservation.segment().get(ValueLayout.JAVA_BYTE, page - 1))
                        .isEqualTo((byte) 7);
                assertThat(reservation.segment().get(ValueLayout.JAVA_BYTE, page))
                        .isZero();
                assertThat(reservation.segment().get(ValueLayout.JAVA_BYTE, 3 * page))
                        .isEqualTo((byte) 7);
                assertThatThrownBy(() -> reservation.release(UNIT, 1)).isInstanceOf(IndexOutOfBoundsException.class);
            }
        }

        @Test
        void countsHugePages() throws Exception {
            String mode = Files.readString(Path.of("/sys/kernel/mm/transparent_hugepage/enabled"));
            assumeTrue(!mode.contains("[never]"), "this kernel gives no huge pages");
            try (AddressReservation reservation = AddressReservation.reserve(8 * UNIT)) {
                assertThat(reservation.adviseHuge(4 * UNIT, 4 * UNIT)).isEmpty();
                reservation.populate(4 * UNIT, 2 * UNIT);
                assertThat(reservation.residentBytes()).isEqualTo(2 * UNIT);
                assertThat(reservation.hugeBytes()).isIn(0L, UNIT, 2 * UNIT); // as many as the kernel has
                assertThat(reservation.segment().get(ValueLayout.JAVA_BYTE, 4 * UNIT))
                        .isZero();
            }
        }

        @Test
        void locksAndUnlocks() {
            try (AddressReservation reservation = AddressReservation.reserve(UNIT)) {
                long bytes = 4 * LinuxPages.PAGE_BYTES;
                assumeTrue(reservation.lock(0, bytes).isEmpty(), "this process may lock nothing");
                reservation.segment().asSlice(0, bytes).fill((byte) 1);
                assertThat(reservation.lockedBytes()).isEqualTo(bytes);
                assertThatThrownBy(() -> reservation.release(0, bytes)).isInstanceOf(StorageException.class);
                reservation.unlock(0, bytes);
                assertThat(reservation.lockedBytes()).isZero();
                reservation.release(0, bytes);
                assertThat(reservation.residentBytes()).isZero();
            }
        }

        /** Another mapping may lie at the addresses by now: a call on the closed reservation would set it to zeros. */
        @Test
        void actsOnNothingOnceItIsClosed() {
            AddressReservation reservation = AddressReservation.reserve(UNIT);
            long address = reservation.segment().address();
            reservation.close();
            try (AddressReservation other = AddressReservation.reserve(UNIT)) {
                assumeTrue(other.segment().address() == address, "the system gave other addresses");
                other.segment().fill((byte) 42);
                assertThatThrownBy(() -> reservation.release(0, UNIT)).isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(() -> reservation.adviseHuge(0, UNIT)).isInstanceOf(IllegalStateException.class);
                assertThat(other.segment().get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 42);
                assertThat(other.segment().get(ValueLayout.JAVA_BYTE, UNIT - 1)).isEqualTo((byte) 42);
            }
        }

        @Test
        void closesBesideCalls() throws InterruptedException {
            for (int round = 0; round < 50; round++) {
                AddressReservation reservation = AddressReservation.reserve(UNIT);
                CountDownLatch begun = new CountDownLatch(1);
                CompletableFuture<Void> caller = OtherThread.run(() -> releaseUntilClosed(reservation, begun));
                assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
                reservation.close();
                caller.join();
                assertThat(reservation.segment().scope().isAlive()).isFalse();
            }
        }

        private static void releaseUntilClosed(AddressReservation reservation, CountDownLatch begun) {
            try {
                while (true) {
                    reservation.release(0, UNIT);
                    begun.countDown();
                }
            } catch (IllegalStateException e) {
                assertThat(reservation.segment().scope().isAlive()).isFalse();
            }
        }

        @Test
        void endsWithItsClosing() {
            AddressReservation reservation = AddressReservation.reserve(UNIT);
            reservation.close();
            assertThatThrownBy(() -> reservation.segment().get(ValueLayout.JAVA_BYTE, 0))
                    .isInstanceOf(IllegalStateException.class);
        }
    }
}
