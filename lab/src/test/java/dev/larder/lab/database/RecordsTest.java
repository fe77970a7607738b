package dev.larder.lab.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.lab.result.LabException;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordsTest {

    private static final int BYTES = 1024;

    private final Records records = new Records(BYTES, 7, 0);

    private static MemorySegment of(byte[] array) {
        return MemorySegment.ofArray(array);
    }

    @ParameterizedTest
    @ValueSource(ints = {16, 24, 1024, 65536})
    void acceptsWhatItMade(int bytes) {
        Records sized = new Records(bytes, 7, 3);
        for (long id : new long[] {0, 1, 63, 64, 999_999}) {
            assertThatCode(() -> sized.checkSum(id, sized.segment(), sized.make(id), bytes))
                    .doesNotThrowAnyException();
            assertThatCode(() -> sized.checkBytes(id, of(sized.array(id)), 0, bytes))
                    .doesNotThrowAnyException();
        }
    }

    @Test
    void findsEveryChangedByte() {
        for (int at = 0; at < BYTES; at++) {
            byte[] changed = records.array(5);
            changed[at] ^= 0x10;
            assertThatThrownBy(() -> records.checkSum(5, of(changed), 0, BYTES)).isInstanceOf(LabException.class);
            assertThatThrownBy(() -> records.checkBytes(5, of(changed), 0, BYTES))
                    .isInstanceOf(LabException.class);
        }
    }

    @Test
    void findsARecordInAnothersPlace() {
        assertThatThrownBy(() -> records.checkSum(6, of(records.array(5)), 0, BYTES))
                .hasMessage("record 6: found record 5 of round 0 in its place");
        assertThatThrownBy(() -> records.checkBytes(5, of(new Records(BYTES, 7, 1).array(5)), 0, BYTES))
                .hasMessage("record 5: found record 5 of round 1 in its place");
        assertThatThrownBy(() -> records.checkSum(5, of(records.array(5)), 0, BYTES - 8))
                .hasMessage("record 5: 1016 bytes read, 1024 inserted");
    }

    @Test
    void aScanFindsMissingAndSurplusRecords() {
        RecordScan scan = new RecordScan(records, 3);
        scan.take(records.array(0));
        scan.take(records.array(1));
        assertThatThrownBy(scan::finish).hasMessage("2 records read back, 3 inserted");
        scan.take(records.array(2));
        assertThatCode(scan::finish).doesNotThrowAnyException();
        assertThatThrownBy(() -> scan.take(records.array(3))).hasMessageContaining("more than the 3 records");
    }

    @Test
    void seedsDiffer() {
        assertThat(new Records(BYTES, 8, 0).array(5)).isNotEqualTo(records.array(5));
    }
}
