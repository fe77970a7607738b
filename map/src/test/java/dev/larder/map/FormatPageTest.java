package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.map.format.CheckpointLayout;
import dev.larder.map.format.IndexFileLayout;
import dev.larder.map.format.IndexPageLayout;
import dev.larder.map.format.IndexPointer;
import dev.larder.map.shared.MapFile;
import dev.larder.memory.LayoutTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Compares the tables in {@code docs/formats/map.md}, between {@code table:} marks, with the layouts. */
final class FormatPageTest {

    private static final Path PAGE =
            Path.of("../docs/formats/map.md").toAbsolutePath().normalize();
    private static final Pattern TABLE = Pattern.compile("(<!-- table: (.+?) -->\n).*?(<!-- end -->)", Pattern.DOTALL);

    private static final Map<String, String> TABLES = Map.of(
            "map header", LayoutTable.markdown(MapFile.LAYOUT),
            "checkpoint header", LayoutTable.markdown(CheckpointLayout.HEADER),
            "step header", LayoutTable.markdown(IndexPageLayout.HEADER),
            "pointer header", LayoutTable.markdown(IndexPointer.LAYOUT),
            "index header", LayoutTable.markdown(IndexFileLayout.HEADER),
            "shared words", LayoutTable.markdown(IndexFileLayout.SHARED));

    @Test
    void tablesAreThoseOfTheLayouts() throws IOException {
        String found = Files.readString(PAGE);
        assertThat(TABLE.matcher(found).results().map(match -> match.group(2)))
                .containsExactlyInAnyOrderElementsOf(TABLES.keySet());
        String refreshed = TABLE.matcher(found)
                .replaceAll(match ->
                        Matcher.quoteReplacement(match.group(1) + TABLES.get(match.group(2)) + match.group(3)));
        Path written = Path.of("target/formats/map.md").toAbsolutePath();
        Files.createDirectories(written.getParent());
        Files.writeString(written, refreshed);
        assertThat(found)
                .as("The tables of %s are not those of the layouts. Refresh it: cp %s %s", PAGE, written, PAGE)
                .isEqualTo(refreshed);
    }
}
