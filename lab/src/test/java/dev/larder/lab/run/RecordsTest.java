package dev.larder.lab.run;

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
    void addsUpEveryWordOfEveryRecord() {
        Records other = records.in(5);
        long sum = 0;
        for (long id = 0; id < 1000; id++) {
            sum += Records.sumWords(other.segment(), other.make(id), BYTES);
        }
        assertThat(other.sumOf(1000)).isEqualTo(sum);
    }

    /** Compressible records are checked, too: each record has its own pattern, repeated. */
    @Test
    void repeatsAPattern() {
        Records repeating = new Records(BYTES, 64, 7, 0);
        MemorySegment record = of(repeating.array(3));
        assertThat(record.asSlice(8, 64).mismatch(record.asSlice(8 + 64, 64))).isEqualTo(-1);
        assertThat(record.asSlice(8, 64).mismatch(of(repeating.array(4)).asSlice(8, 64)))
                .isNotEqualTo(-1);
        assertThatCode(() -> repeating.checkBytes(3, record, 0, BYTES)).doesNotThrowAnyException();
    }

    @Test
    void seedsDiffer() {
        assertThat(new Records(BYTES, 8, 0).array(5)).isNotEqualTo(records.array(5));
    }
}
