package dev.larder.lab.run;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class RecordScanTest {

    @Test
    void aScanFindsMissingAndSurplusRecords() {
        Records records = new Records(1024, 7, 0);
        RecordScan scan = new RecordScan(records, 3);
        scan.take(records.array(0));
        scan.take(records.array(1));
        assertThatThrownBy(scan::finish).hasMessage("2 records read back, 3 inserted");
        scan.take(records.array(2));
        assertThatCode(scan::finish).doesNotThrowAnyException();
        assertThatThrownBy(() -> scan.take(records.array(3))).hasMessageContaining("more than the 3 records");
    }
}
