package dev.larder.tests.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.tests.guide.Sentence.Place;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The English of the pages that users read: short sentences that name the actor, and not too many of them. */
class ProseTest {
    private static final Path ROOT =
            Path.of(System.getProperty("larder.root")).toAbsolutePath().normalize();

    private static final int MOST_WORDS = 16_000;
    private static final int LONGEST = 40;
    private static final int NINE_OF_TEN = 26;

    private static final Pattern WORD = Pattern.compile("\\S*[\\p{L}\\p{N}]\\S*");

    /** Fewer words make a label, not a sentence. */
    private static final int LABEL = 4;

    /** Beginnings that hide the actor. */
    private static final List<String> STARTS =
            List.of("who", "whoever", "whose", "what", "whatever", "such", "that of", "nobody who");

    @TempDir
    Path scratch;

    static List<Path> pages() throws IOException {
        List<Path> pages = guides();
        for (String page : List.of("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/glossary.md")) {
            pages.add(ROOT.resolve(page));
        }
        for (String folder : List.of("docs/design", "docs/formats", "docs/results")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(folder))) {
                files.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
            }
        }
        return pages;
    }

    private static List<Path> guides() throws IOException {
        List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
        try (Stream<Path> guides = Files.list(ROOT.resolve("docs/guide"))) {
            guides.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
        }
        return pages;
    }

    @ParameterizedTest
    @MethodSource("pages")
    void noSentenceIsLong(Path page) throws IOException {
        assertThat(Sentence.of(page))
                .filteredOn(sentence -> sentence.words().size() > LONGEST)
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void nineSentencesOfTenAreShort(Path page) throws IOException {
        List<Sentence> sentences = Sentence.of(page).stream()
                .filter(sentence -> sentence.words().size() > LABEL)
                .sorted(Comparator.comparingInt(sentence -> -sentence.words().size()))
                .toList();
        List<Sentence> longest = sentences.subList(0, sentences.size() / 10 + 1);
        assertThat(longest.getLast().words())
                .as("one sentence in ten has more than " + NINE_OF_TEN + " words: " + longest)
                .hasSizeLessThanOrEqualTo(NINE_OF_TEN);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everySentenceNamesItsActor(Path page) throws IOException {
        assertThat(Sentence.of(page))
                .filteredOn(sentence -> sentence.place() != Place.COLUMN)
                .filteredOn(sentence -> STARTS.stream().anyMatch(sentence::beginsWith))
                .isEmpty();
    }

    /** Counts programs and tables too; the marks of Markdown and of Java are no words. */
    @Test
    void theGuidesAreShort() throws IOException {
        int words = 0;
        List<String> counts = new ArrayList<>();
        for (Path page : guides()) {
            int own = (int) WORD.matcher(Files.readString(page)).results().count();
            counts.add(own + " " + ROOT.relativize(page));
            words += own;
        }
        assertThat(words).as("words of " + counts).isLessThanOrEqualTo(MOST_WORDS);
    }

    /** Tests the judge: the pages above are only as short as it reports. */
    @Test
    void sentencesAreFoundWhereTheyStand() throws IOException {
        Path page = scratch.resolve("page.md");
        Files.writeString(page, """
            # A page

            One sentence of a paragraph, with `two words` and
            [a link](to/a.page). Whoever reads it finds
            the second.

            - An item
              of two lines. `code` begins another.

            ```sh
            Who runs this.
            ```

            | what it says | text |
            | --- | --- |
            | a cell | What is `a \\| b`? Two sentences. |
            """);
        assertThat(Sentence.of(page))
                .extracting(sentence -> sentence.line() + " " + sentence.place() + " " + sentence.text())
                .containsExactly(
                        "1 HEADING A page",
                        "3 TEXT One sentence of a paragraph, with Code and a link.",
                        "4 TEXT Whoever reads it finds the second.",
                        "7 TEXT An item of two lines.",
                        "8 TEXT Code begins another.",
                        "14 COLUMN what it says",
                        "14 COLUMN text",
                        "16 CELL a cell",
                        "16 CELL What is Code?",
                        "16 CELL Two sentences.");
    }
}
