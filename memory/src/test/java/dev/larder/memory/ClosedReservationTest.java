package dev.larder.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The end of a reservation, and reservations that no machine has addresses for. */
@NativeAccess
final class ClosedReservationTest {

    private static final long UNIT = AddressReservation.ALIGNMENT_BYTES;

    @Test
    void closesASecondTimeWithoutAnError() {
        AddressReservation reservation = AddressReservation.reserve(UNIT);
        reservation.close();
        reservation.close();
        assertThat(reservation.segment().scope().isAlive()).isFalse();
    }

    /** Other memory may lie at the addresses by now, whose account is not that of the reservation. */
    @Test
    void hasNoAccountOnceItIsClosed() {
        AddressReservation reservation = AddressReservation.reserve(UNIT);
        reservation.close();
        for (ThrowingCallable account :
                new ThrowingCallable[] {reservation::residentBytes, reservation::hugeBytes, reservation::lockedBytes}) {
            assertThatThrownBy(account)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the reservation of " + UNIT + " bytes is closed");
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, (1L << 62) + 1, 1L << 62})
    void saysHowManyAddressesAreTooMany(long bytes) {
        assertThatExceptionOfType(StorageException.class)
                .isThrownBy(() -> AddressReservation.reserve(bytes))
                .withMessageContaining("cannot reserve addresses for " + bytes + " bytes");
    }
}
