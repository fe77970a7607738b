package dev.larder.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The texts of a kind of error, as the guide has them: one in the first cell of each row of its table. */
final class GuideTexts {

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\| ([^|]+) \\| ([^|]+) \\|$");

    /** The parts of a text that an error fills in: single letters, a path, a name, a host. */
    private static final Pattern BLANK = Pattern.compile("\\b(path|name|host|port|[a-z])\\b| ?\\.\\.\\.");

    private GuideTexts() {}

    /** Returns a pattern for each text of a section. */
    static List<Pattern> of(String section) {
        long rows = section.lines().filter(line -> line.startsWith("| `")).count();
        List<Pattern> texts =
                ROW.matcher(section).results().map(row -> pattern(row.group(1))).toList();
        assertThat(texts).as("one text a row, with cause and next: " + section).hasSize((int) rows);
        return texts;
    }

    private static Pattern pattern(String text) {
        String fixed = BLANK.splitAsStream(text).map(Pattern::quote).collect(Collectors.joining(".*"));
        return Pattern.compile(fixed + (text.matches(".*(\\.\\.\\.|[a-z])") ? ".*" : ""), Pattern.DOTALL);
    }
}
