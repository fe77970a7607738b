package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.format.BookmarkLayout;
import dev.larder.log.format.ControlLayout;
import dev.larder.log.format.SegmentLayout;
import dev.larder.memory.LayoutTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Compares the tables in {@code docs/formats}, of the log and its bookmarks, between {@code table:} marks, with the layouts. */
@SuppressWarnings("EnumOrdinal") // the order is the format
final class FormatPagesTest {

    private static final Pattern TABLE = Pattern.compile("(<!-- table: (.+?) -->\n).*?(<!-- end -->)", Pattern.DOTALL);

    private static final Map<String, String> TABLES = Map.of(
            "control page", LayoutTable.markdown(ControlLayout.PAGE),
            "place", LayoutTable.markdown(ControlLayout.PLACE),
            "slot", LayoutTable.markdown(ControlLayout.SLOT),
            "segment header", LayoutTable.markdown(SegmentLayout.HEADER),
            "row", LayoutTable.markdown(SegmentLayout.ROW),
            "counters", counters());

    private static final Map<String, String> BOOKMARK_TABLES = Map.of(
            "bookmarks header", LayoutTable.markdown(BookmarkLayout.HEADER),
            "bookmark name", LayoutTable.markdown(BookmarkLayout.NAME),
            "bookmark owner", LayoutTable.markdown(BookmarkLayout.OWNER),
            "mark", LayoutTable.markdown(BookmarkLayout.MARK));

    @Test
    void tablesOfTheLogPageAreThoseOfTheLayouts() throws IOException {
        check("log.md", TABLES);
    }

    @Test
    void tablesOfTheBookmarksPageAreThoseOfTheLayouts() throws IOException {
        check("bookmarks.md", BOOKMARK_TABLES);
    }

    private static void check(String name, Map<String, String> tables) throws IOException {
        Path page = Repository.root().resolve("docs/formats").resolve(name);
        String found = Files.readString(page);
        assertThat(TABLE.matcher(found).results().map(match -> match.group(2)))
                .containsExactlyInAnyOrderElementsOf(tables.keySet());
        String refreshed = TABLE.matcher(found)
                .replaceAll(match ->
                        Matcher.quoteReplacement(match.group(1) + tables.get(match.group(2)) + match.group(3)));
        Path written = Path.of("target/formats").resolve(name).toAbsolutePath();
        Files.createDirectories(written.getParent());
        Files.writeString(written, refreshed);
        assertThat(found)
                .as("The tables of %s are not those of the layouts. Refresh it: cp %s %s", page, written, page)
                .isEqualTo(refreshed);
    }

    private static String counters() {
        StringBuilder table = new StringBuilder("| offset | size | counter |\n| ---: | ---: | --- |\n");
        for (LogCounter counter : LogCounter.values()) {
            table.append("| ")
                    .append(64 + 8 * counter.ordinal())
                    .append(" | 8 | ")
                    .append(counter)
                    .append(" |\n");
        }
        return table.toString();
    }
}
