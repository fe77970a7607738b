package dev.larder.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The texts of a kind of error, as the guide has them: one in the first cell of each row of its table. */
public final class GuideTexts {

    private static final Path PAGE = Path.of(System.getProperty("larder.root"), "docs/guide/errors.md");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\| ([^|]+) \\| ([^|]+) \\|$");

    /** The parts of a text that an error fills in: single letters, a path, a name, a host. */
    private static final Pattern BLANK = Pattern.compile("\\b(path|name|host|port|[a-z])\\b| ?\\.\\.\\.");

    private GuideTexts() {}

    static String page() throws IOException {
        return Files.readString(PAGE);
    }

    /** Returns the section of a kind of error. */
    static String section(String kind) throws IOException {
        for (String section : page().split("\n### ", -1)) {
            if (section.startsWith(kind + "\n")) {
                return section.replaceFirst("(?s)\n## .*", "");
            }
        }
        throw new AssertionError("the guide has no section " + kind);
    }

    /** Requires that the guide has the text of an error that a call has thrown. */
    public static void requireKnown(Class<? extends Exception> kind, String text) throws IOException {
        assertThat(of(section(kind.getSimpleName())))
                .as("a text of " + kind.getSimpleName() + " in the guide is: " + text)
                .anyMatch(known -> known.matcher(text).matches());
    }

    /** Returns a pattern for each text of a section. */
    static List<Pattern> of(String section) {
        long rows = section.lines().filter(line -> line.startsWith("| `")).count();
        List<Pattern> texts =
                ROW.matcher(section).results().map(row -> pattern(row.group(1))).toList();
        assertThat(texts).as("one text a row, with cause and next: " + section).hasSize((int) rows);
        return texts;
    }

    /** The system's own words begin with a capital letter in some calls, and not in others. */
    private static Pattern pattern(String text) {
        String fixed = BLANK.splitAsStream(text).map(Pattern::quote).collect(Collectors.joining(".*"));
        return Pattern.compile(
                fixed + (text.matches(".*(\\.\\.\\.|[a-z])") ? ".*" : ""), Pattern.DOTALL | Pattern.CASE_INSENSITIVE);
    }
}
