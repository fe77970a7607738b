package dev.larder.lab.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class CorporaTest extends CorpusFolder {

    private static final String LINES = "one\tthe first body\n\ntwo\tthe second\tbody\r\n";
    private static final List<TextDocument> OF_LINES =
            List.of(new TextDocument("one", "the first body"), new TextDocument("two", "the second\tbody"));

    @Test
    void readsLinesPlainAndPackedWhateverTheirName() throws IOException {
        assertThat(CorpusFiles.all(file("a.xml", LINES))).isEqualTo(OF_LINES);
        assertThat(CorpusFiles.all(file("b", "\uFEFF" + LINES))).isEqualTo(OF_LINES);
        assertThat(CorpusFiles.all(file("c.txt", CorpusFiles.gzip(LINES)))).isEqualTo(OF_LINES);
        assertThat(CorpusFiles.all(file("d.gz", CorpusFiles.bzip2(LINES)))).isEqualTo(OF_LINES);
    }

    @Test
    void passesOverEmptyLinesAndReplacesMalformedBytes() throws IOException {
        byte[] bytes = LINES.getBytes(UTF_8);
        bytes[bytes.length - 3] = (byte) 0xFF;
        try (Corpus corpus = Corpora.open(file("lines", bytes))) {
            corpus.next();
            assertThat(corpus.next()).isEqualTo(new TextDocument("two", "the second\tbod\uFFFD"));
            assertThat(corpus.name()).isEqualTo("lines");
        }
    }

    @Test
    void namesTheLineWithoutATab() throws IOException {
        assertThatThrownBy(() -> CorpusFiles.all(file("novel.txt", "title\tbody\nIt was a dark night.\n")))
                .isInstanceOf(LabException.class)
                .hasMessageStartingWith("novel.txt: line 2: it has no TAB");
    }

    @Test
    void refusesALineThatIsNoDocument() throws IOException {
        String line = "title\t" + "long ".repeat(BoundedText.LONGEST / 5);
        assertThatThrownBy(() -> CorpusFiles.all(file("binary", "a\tb\n" + line)))
                .hasMessage("binary: line 2: longer than 16777216 characters, the most that a document may have");
    }

    @Test
    void namesTheByteWhereAPackedFileIsDamaged() throws IOException {
        byte[] packed = CorpusFiles.gzip(LINES);
        assertThatThrownBy(() -> CorpusFiles.all(file("cut.gz", Arrays.copyOf(packed, packed.length - 9))))
                .isInstanceOf(LabException.class)
                .hasMessageStartingWith(
                        "cut.gz: cannot continue reading at byte " + (packed.length - 9) + " of the file: ");
        byte[] flipped = CorpusFiles.bzip2(LINES);
        flipped[flipped.length / 2] ^= 0x55;
        assertThatThrownBy(() -> CorpusFiles.all(file("flipped.bz2", flipped)))
                .isInstanceOf(LabException.class)
                .hasMessageStartingWith("flipped.bz2: cannot continue reading at byte ");
        assertThatThrownBy(() -> CorpusFiles.all(file("head.bz2", "BZhat")))
                .isInstanceOf(LabException.class)
                .hasMessageStartingWith("head.bz2: cannot continue reading at byte ");
    }

    @Test
    void readsAFolderByNameAndPassesOverWhatIsNoText() throws IOException {
        Files.createDirectories(folder.resolve("texts/b"));
        file("texts/c.txt", "third");
        file("texts/b/second.txt", "second");
        file("texts/a.txt", "first");
        file("texts/d.png", "\u0000PNG");
        file("texts/e.txt", " \n");
        file("texts/.hidden", "hidden");
        try (Corpus corpus = Corpora.open(folder.resolve("texts"))) {
            assertThat(CorpusFiles.all(corpus))
                    .containsExactly(
                            new TextDocument("a.txt", "first"),
                            new TextDocument("b/second.txt", "second"),
                            new TextDocument("c.txt", "third"));
            assertThat(corpus.name()).isEqualTo("texts");
        }
    }

    @Test
    void readsSourcesOfAJdkWithoutTheirLicence() throws IOException {
        Files.createDirectories(folder.resolve("lib"));
        CorpusFiles.zip(
                folder.resolve("lib/src.zip"),
                "java.base/java/lang/A.java",
                "/*\n * Copyright (c) 1994\n */\n\n/**\n * Says a.\n */\nclass A {}",
                "java.base/java/lang/B.java",
                "/* No licence. */ class B {}");
        assertThat(CorpusFiles.all(Corpora.ofJdk(folder)))
                .containsExactly(
                        new TextDocument("java.base/java/lang/A.java", "\n\n/**\n Says a.\n */\nclass A {}"),
                        new TextDocument("java.base/java/lang/B.java", "/* No licence. */ class B {}"));
    }

    @Test
    void readsTheSourcesOfTheRunningJdk() throws IOException {
        assumeThat(Path.of(System.getProperty("java.home"), "lib", "src.zip"))
                .as("this JDK has its sources")
                .exists();
        try (Corpus corpus = Corpora.open(null)) {
            TextDocument first = corpus.next();
            assertThat(first).isNotNull();
            assertThat(first.title()).endsWith(".java");
            assertThat(first.body()).contains("class").doesNotContain("Copyright (c)");
        }
    }

    @Test
    void saysWhereItLooked() {
        assertThatThrownBy(() -> Corpora.ofJdk(folder))
                .isInstanceOf(LabException.class)
                .hasMessageContaining(folder.resolve("lib").resolve("src.zip") + " is not there");
        assertThatThrownBy(() -> Corpora.open(folder.resolve("absent")))
                .isInstanceOf(LabException.class)
                .hasMessageContaining(folder.resolve("absent") + " is neither a file nor a folder");
    }

    @Test
    void namesAZipFileThatIsDamaged() throws IOException {
        Path zip = CorpusFiles.zip(folder.resolve("texts.zip"), "a", "text ".repeat(1000));
        byte[] bytes = Files.readAllBytes(zip);
        assertThatThrownBy(() -> CorpusFiles.all(file("cut.zip", Arrays.copyOf(bytes, bytes.length / 2))))
                .isInstanceOf(LabException.class)
                .hasMessageStartingWith("cut.zip: not a zip file that can be read");
        bytes[45] ^= 0x55;
        assertThatThrownBy(() -> CorpusFiles.all(file("flipped.zip", bytes)))
                .isInstanceOf(LabException.class)
                .hasMessageStartingWith("flipped.zip: entry a cannot be read");
    }
}
