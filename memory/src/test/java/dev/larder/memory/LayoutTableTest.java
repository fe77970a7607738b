package dev.larder.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class LayoutTableTest {

    @Test
    void hasARowForEachFieldAndGap() {
        StructLayout lock = MemoryLayout.structLayout(
                ValueLayout.JAVA_INT.withName("owner"), ValueLayout.JAVA_INT.withName("count"));
        StructLayout layout = MemoryLayout.structLayout(
                ValueLayout.JAVA_LONG.withName("size"),
                lock.withName("lock"),
                MemoryLayout.paddingLayout(4),
                MemoryLayout.sequenceLayout(12, ValueLayout.JAVA_BYTE).withName("name"));
        assertThat(LayoutTable.markdown(layout)).isEqualTo("""
            | offset | size | field |
            | ---: | ---: | --- |
            | 0 | 8 | size |
            | 8 | 4 | lock.owner |
            | 12 | 4 | lock.count |
            | 16 | 4 | - |
            | 20 | 12 | name |
            """);
    }

    @Test
    void thePageOfTheFileHeaderCarriesItsTable() throws IOException {
        assertThat(Files.readString(Path.of("..", "docs", "formats", "file-header.md")))
                .contains(LayoutTable.markdown(FileHeader.LAYOUT));
    }
}
