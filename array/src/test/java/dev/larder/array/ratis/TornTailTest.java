package dev.larder.array.ratis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A last entry that was not completely written is cut off. Other damage is left for Ratis to report. */
final class TornTailTest {

    private static final int NONE = -1;
    private static final int FILE_BYTES = 4096;

    private final Random random = new Random(1);
    private final ByteBuffer log = ByteBuffer.allocate(FILE_BYTES).put("RaftLog1".getBytes(StandardCharsets.US_ASCII));

    /** Appends a whole entry; returns where it begins. */
    private int append(int length) {
        int begin = log.position();
        byte[] entry = new byte[length];
        random.nextBytes(entry);
        log.put((byte) ((length & 0x7F) | 0x80)).put((byte) (length >> 7)).put(entry);
        CRC32C checksum = new CRC32C();
        checksum.update(log.array(), begin, log.position() - begin);
        log.putInt((int) checksum.getValue());
        return begin;
    }

    private void clear(int from) {
        for (int i = from; i < FILE_BYTES; i++) {
            log.put(i, (byte) 0);
        }
    }

    private int find() {
        return TornTail.find(log.duplicate().clear());
    }

    @Test
    void shouldLeaveALogThatIsWhole() {
        assertThat(find()).isEqualTo(NONE);
        append(300);
        append(500);
        assertThat(find()).isEqualTo(NONE);
    }

    @Test
    void shouldFindAnEntryThatWasNotWrittenToItsEnd() {
        append(300);
        int torn = append(500);
        int end = log.position();
        for (int cut = end - 1; cut > torn; cut--) {
            clear(cut);
            assertThat(find()).as("cut at %d", cut).isEqualTo(torn);
        }
    }

    /** Appends an entry as Ratis encodes it; returns where it begins. */
    private int appendEncoded(int valueBytes) {
        byte[] value = new byte[valueBytes];
        random.nextBytes(value);
        byte[] entry = LogEntryProto.newBuilder()
                .setTerm(3)
                .setIndex(1_000)
                .setStateMachineLogEntry(StateMachineLogEntryProto.newBuilder().setLogData(ByteString.copyFrom(value)))
                .build()
                .toByteArray();
        int begin = log.position();
        log.put((byte) ((entry.length & 0x7F) | 0x80))
                .put((byte) (entry.length >> 7))
                .put(entry);
        CRC32C checksum = new CRC32C();
        checksum.update(log.array(), begin, log.position() - begin);
        log.putInt((int) checksum.getValue());
        return begin;
    }

    private int findIn(int fileBytes) {
        return TornTail.find(log.duplicate().clear().limit(fileBytes));
    }

    /** The file has grown for the entry in memory, and power was lost before its size was on the disk. */
    @Test
    void shouldFindAnEntryThatIsLongerThanTheFile() {
        append(300);
        int torn = appendEncoded(500);
        int end = log.position();
        for (int size = torn + 1; size < end; size++) {
            assertThat(findIn(size)).as("a file of %d bytes", size).isEqualTo(torn);
        }
        assertThat(findIn(end)).isEqualTo(NONE);
    }

    /** The entry ends in zeros, for bytes that were not on the disk yet. */
    @Test
    void shouldFindAnEntryThatIsLongerThanTheFileAndWasNotWrittenToThatEnd() {
        append(300);
        int torn = appendEncoded(500);
        for (int cut = torn + 400; cut > torn; cut--) {
            clear(cut);
            assertThat(findIn(torn + 400)).as("cut at %d", cut).isEqualTo(torn);
        }
    }

    /** A synced entry whose length seems to lead beyond the file. The length of its last field says otherwise. */
    @Test
    void shouldLeaveAnEntryOfWhichTheLengthWasChanged() {
        append(300);
        int begin = appendEncoded(500);
        int end = log.position();
        for (int bit = 0; bit < Byte.SIZE - 1; bit++) {
            byte was = log.get(begin + 1);
            log.put(begin + 1, (byte) (was ^ 1 << bit));
            assertThat(findIn(end)).as("bit %d", bit).isEqualTo(NONE);
            log.put(begin + 1, was);
        }
    }

    /** Only the first byte of a length was written, which means nothing without the second one. */
    @Test
    void shouldFindAnEntryOfWhichTheLengthIsCut() {
        append(300);
        int torn = append(256);
        clear(torn + 1);
        assertThat(find()).isEqualTo(torn);
    }

    @Test
    void shouldLeaveAnEntryWhoseBytesWereChangedAndWhoseChecksumIsCut() {
        append(300);
        int begin = append(500);
        log.put(begin + 100, (byte) (log.get(begin + 100) + 1));
        clear(log.position() - 2);
        assertThat(find()).isEqualTo(NONE);
    }

    private void clear(int from, int to) {
        for (int i = from; i < to; i++) {
            log.put(i, (byte) 0);
        }
    }

    /** Power was lost while pages were synced, and any of them are on the disk. */
    @Test
    void shouldFindAnEntryWithAHole() {
        append(300);
        int torn = append(2000);
        byte[] whole = log.array().clone();
        for (int sector = 512; sector + 512 <= log.position(); sector += 512) {
            clear(sector, sector + 512);
            assertThat(find()).as("a hole at %d", sector).isEqualTo(torn);
            log.put(0, whole);
        }
        clear(torn, 512);
        assertThat(find()).as("a hole at its begin").isEqualTo(torn);
        clear(torn, 1536);
        assertThat(find()).as("a longer hole at its begin").isEqualTo(torn);
    }

    @Test
    void shouldFindAnEntryWithAHoleAndWholeOnesBehindIt() {
        append(300);
        int torn = append(1000);
        append(500);
        clear(512, 1024);
        assertThat(find()).isEqualTo(torn);
    }

    /** The first byte of the entry's length is in the sector before the hole. */
    @Test
    void shouldFindAnEntryWhoseLengthEndsInAHole() {
        append(511 - 8 - 6);
        int torn = append(1000);
        assertThat(torn).isEqualTo(511);
        append(500);
        clear(512, 1024);
        assertThat(find()).isEqualTo(torn);
    }

    /** Fewer zeros than a sector has, or zeros across two of them, are no hole: they are rot, or a value. */
    @Test
    void shouldLeaveAnEntryWithFewerZerosThanASector() {
        append(300);
        append(2000);
        clear(513, 1024);
        assertThat(find()).isEqualTo(NONE);
        clear(600, 1100);
        log.put(1023, (byte) 1);
        assertThat(find()).isEqualTo(NONE);
    }

    /** A value of zeros in a whole entry is no hole. */
    @Test
    void shouldLeaveAWholeEntryOfZeros() {
        int begin = log.position();
        log.put((byte) (0x80 | (2000 & 0x7F))).put((byte) (2000 >> 7)).put(new byte[2000]);
        CRC32C checksum = new CRC32C();
        checksum.update(log.array(), begin, log.position() - begin);
        log.putInt((int) checksum.getValue());
        append(500);
        assertThat(find()).isEqualTo(NONE);
    }

    @Test
    void shouldLeaveAnEntryWhoseBytesWereChanged() {
        append(300);
        int begin = append(500);
        log.put(begin + 100, (byte) (log.get(begin + 100) + 1));
        assertThat(find()).isEqualTo(NONE);
        append(200);
        assertThat(find()).isEqualTo(NONE);
    }

    /** The length of an entry in the middle was changed, so that it seems to reach beyond what was written. */
    @Test
    void shouldLeaveALogWithWholeEntriesBehindTheDamage() {
        append(300);
        int begin = append(500);
        append(200);
        log.put(begin + 1, (byte) 20);
        assertThat(find()).isEqualTo(NONE);
    }

    @Test
    void shouldLeaveAnEntryThatIsLongerThanTheFile() {
        append(300);
        log.put(new byte[] {(byte) 0xFF, 0x7F, 1, 2, 3});
        assertThat(find()).isEqualTo(NONE);
    }

    @Test
    void shouldCutOffTheEntryAlone(@TempDir Path folder) throws IOException {
        append(300);
        int torn = append(500);
        clear(torn + 200);
        Path open = folder.resolve("log_inprogress_7");
        Path closed = folder.resolve("log_0-6");
        Files.write(open, log.array());
        Files.write(closed, log.array());
        TornTail.cutOff(folder, DiskSync.SYSTEM);
        assertThat(open).hasSize(torn);
        assertThat(closed).hasSize(FILE_BYTES);
        TornTail.cutOff(folder, DiskSync.SYSTEM);
        assertThat(open).hasSize(torn);
    }

    /** Regression: after a kill, entries were acknowledged that only the system's cache had. */
    @Test
    void shouldSyncAWholeLogAndItsFolder(@TempDir Path folder) throws IOException {
        append(300);
        Path open = Files.write(folder.resolve("log_inprogress_7"), log.array());
        List<Path> synced = new ArrayList<>();
        TornTail.cutOff(folder, synced::add);
        assertThat(synced).containsExactly(open, folder);
    }
}
