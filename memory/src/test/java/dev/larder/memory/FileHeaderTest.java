package dev.larder.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FileHeaderTest {

    private static final Path PATH = Path.of("larder", "file");
    private static final int HEADER_BYTES = 80; // 16 of the format's own
    private static final Features USED = new Features(0b001, 0b010, 0b100);

    private final MemorySegment file = MemorySegment.ofArray(new byte[FileHeader.LARGEST_BYTES]);

    FileHeaderTest() {
        file.asSlice(64, 16).fill((byte) 0x77);
        FileHeader.write(file, "TEST", 3, HEADER_BYTES, USED);
    }

    @Test
    void readsWhatWasWritten() {
        assertThat(read(USED, true)).isEqualTo(new FileHeader("TEST", 3, HEADER_BYTES, USED));
        assertThat(FileHeader.read(file.asSlice(0, HEADER_BYTES), PATH, "TEST", 9, USED, true))
                .isEqualTo(new FileHeader("TEST", 3, HEADER_BYTES, USED));
    }

    @Test
    void hasItsBytesWhereThePageSaysSo() {
        byte[] expected = new byte[60];
        byte[] start = "\u0089LRD\r\n\u001a\nTEST    ".getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(start, 0, expected, 0, start.length);
        expected[16] = 3;
        expected[20] = HEADER_BYTES;
        expected[24] = 1;
        expected[32] = 2;
        expected[40] = 4;
        assertThat(file.asSlice(0, 60).toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
        assertThat(FileHeader.LAYOUT.byteSize()).isEqualTo(FileHeader.COMMON_BYTES);
    }

    @Test
    void everyFlippedBitIsDamageOrAnotherProgramsFile() {
        for (int bit = 0; bit < HEADER_BYTES * 8; bit++) {
            flip(bit);
            Class<?> expected = bit < 64 ? ForeignFileException.class : CorruptException.class;
            assertThatThrownBy(() -> read(USED, false))
                    .as("bit %d", bit)
                    .isInstanceOf(expected)
                    .hasMessageStartingWith(PATH + ": ");
            flip(bit);
        }
        flip(HEADER_BYTES * 8);
        read(USED, true);
    }

    @Test
    void aFileThatEndsWithinItsHeaderIsTruncated() {
        for (int length = 0; length < HEADER_BYTES; length++) {
            MemorySegment cut = file.asSlice(0, length);
            assertThatThrownBy(() -> FileHeader.read(cut, PATH, "TEST", 3, USED, false))
                    .isInstanceOf(TruncatedException.class)
                    .hasMessageStartingWith(PATH + ": the file ends at " + length + ", within its header of ");
        }
    }

    @Test
    void aHeaderThatWasNeverWrittenIsDamaged() {
        file.fill((byte) 0);
        assertThatThrownBy(() -> read(USED, false))
                .isInstanceOf(CorruptException.class)
                .hasMessageContaining("all zeros");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "SQLite format 3", "\u0089PNG\r\n\u001a\n"})
    void anotherProgramsFileIsForeign(String start) {
        file.fill((byte) 0).copyFrom(MemorySegment.ofArray(start.getBytes(StandardCharsets.ISO_8859_1)));
        assertThatThrownBy(() -> read(USED, false))
                .isInstanceOf(ForeignFileException.class)
                .hasMessageContaining("not a file of Larder: it begins with ")
                .hasMessageEndingWith("expected 894c52440d0a1a0a");
    }

    @Test
    void anotherFormatIsForeign() {
        FileHeader.write(file, "QUEUE", 3, HEADER_BYTES, USED);
        assertThatThrownBy(() -> read(USED, false))
                .isInstanceOf(ForeignFileException.class)
                .hasMessage(PATH + ": a file of Larder, but of format \"QUEUE\", expected \"TEST\"");
    }

    @Test
    void aNewerVersionIsRefused() {
        assertThatThrownBy(() -> FileHeader.read(file, PATH, "TEST", 2, USED, false))
                .isInstanceOf(NewerFormatException.class)
                .hasMessage(PATH + ": version 3 of the format, expected at most 2: use a newer release");
    }

    @Test
    void anUnknownIncompatibleFeatureIsRefused() {
        assertThatThrownBy(() -> read(new Features(1, 2, 0b1000), false))
                .isInstanceOf(NewerFormatException.class)
                .hasMessage(PATH + ": features 0x4; this release knows 0x8: use a newer release");
    }

    @Test
    void anUnknownFeatureOfWritersIsReadOnly() {
        Features known = new Features(0, 0, 0b100);
        assertThat(read(known, false).features()).isEqualTo(USED);
        assertThatThrownBy(() -> read(known, true))
                .isInstanceOf(NewerFormatException.class)
                .hasMessageContaining("open read-only");
    }

    @Test
    void anUnknownCompatibleFeatureIsIgnored() {
        assertThat(read(new Features(0, 0b010, 0b100), true).features()).isEqualTo(USED);
    }

    @Test
    void namesAndLengthsHaveTheirRanges() {
        for (String name : new String[] {"", "NINECHARS", "A B", "Ä"}) {
            assertThatThrownBy(() -> new FileHeader(name, 1, 64, Features.NONE))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> new FileHeader("A", 0, 64, Features.NONE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new FileHeader("A", 1, 63, Features.NONE))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new FileHeader("A", 1, 4097, Features.NONE))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private FileHeader read(Features known, boolean writing) {
        return FileHeader.read(file, PATH, "TEST", 3, known, writing);
    }

    private void flip(int bit) {
        byte before = file.get(ValueLayout.JAVA_BYTE, bit / 8);
        file.set(ValueLayout.JAVA_BYTE, bit / 8, (byte) (before ^ (1 << (bit % 8))));
    }
}
