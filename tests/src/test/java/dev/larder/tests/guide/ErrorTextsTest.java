package dev.larder.tests.guide;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Each text of the guide's page of errors is a text of the sources, except for what an error fills in. */
class ErrorTextsTest {

    private static final Path ROOT =
            Path.of(System.getProperty("larder.root")).toAbsolutePath().normalize();

    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([^`]+)` \\|");

    /** What an error fills in: a single letter, a path, a name, a host, a class, a number, a mode. */
    private static final Pattern BLANK =
            Pattern.compile("\\b(?:path|name|host|port|(?<=:)class|[a-z]|RECORD|SEAL)\\b| ?\\.\\.\\.|\\b\\d[\\d,]*\\b");

    /** What stands around a blank. */
    private static final Pattern EDGE = Pattern.compile("^[ :;,()\"]+|[ :;,()\"]+$");

    private static SourceTexts sources = new SourceTexts();

    @BeforeAll
    static void readSources() throws IOException {
        sources = SourceTexts.below(Stream.of("memory", "codec", "codec-jackson", "log", "queue", "map", "lucene")
                .map(module -> ROOT.resolve(module).resolve("src/main/java"))
                .toList());
    }

    static List<String> rows() throws IOException {
        String page = Files.readString(ROOT.resolve("docs/guide/errors.md"));
        String ownErrors = page.substring(page.indexOf("\n## memory\n"));
        return ROW.matcher(ownErrors).results().map(row -> row.group(1)).toList();
    }

    private static List<String> phrases(String row) {
        return BLANK.splitAsStream(row)
                .map(part -> EDGE.matcher(part).replaceAll(""))
                .filter(part -> part.matches(".*[A-Za-z]{2}.*"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("rows")
    void isInTheSources(String row) {
        assertThat(phrases(row))
                .isNotEmpty()
                .allSatisfy(
                        phrase -> assertThat(sources.contain(phrase)).as(phrase).isTrue());
    }

    @Test
    void phrasesArePutTogetherWhereSourcesPutThemTogether() {
        SourceTexts texts = new SourceTexts();
        texts.add("""
            // "a comment"
            char quote = '"';
            String kind = "long";
            throw new Error(path + ": it has " + bytes
                    + " bytes, " /* "another" */
                    + "and one " + kind + " has 8");
            """);
        assertThat(List.of("it has", "bytes, and one long has 8", "and one long"))
                .allMatch(texts::contain);
        assertThat(List.of("a comment", "another", "it has bytes", "one long 8", "it had", "ong has"))
                .noneMatch(texts::contain);
    }
}
