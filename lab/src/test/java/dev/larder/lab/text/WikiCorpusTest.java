package dev.larder.lab.text;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class WikiCorpusTest extends CorpusFolder {

    private static final String HEAD = """
        <mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" version="0.11" xml:lang="en">
          <siteinfo><sitename>Wikipedia</sitename><namespaces><namespace key="1">Talk</namespace></namespaces></siteinfo>
        """;
    private static final String FIRST = """
          <page>
            <title>Anarchism</title><ns>0</ns><id>12</id>
            <revision><id>1</id><text bytes="3">old</text></revision>
            <revision><id>2</id><text bytes="9">'''Anarchism''' is a [[political philosophy|philosophy]] &amp; more.</text></revision>
          </page>
        """;
    private static final String OTHERS = """
          <page><title>AccessibleComputing</title><ns>0</ns><redirect title="Computer accessibility" />
            <revision><text>#REDIRECT [[Computer accessibility]]</text></revision></page>
          <page><title>Talk:Anarchism</title><ns>1</ns><revision><text>Hello</text></revision></page>
          <page><title>Empty</title><ns>0</ns><revision><text /></revision></page>
        """;
    private static final String LAST = """
          <page><title>Zoo</title><ns>0</ns><revision><text>A zoo<![CDATA[ has < animals]]>.<!-- no --></text></revision></page>
        </mediawiki>
        """;
    private static final String DUMP = HEAD + FIRST + OTHERS + LAST;
    private static final List<TextDocument> ARTICLES = List.of(
            new TextDocument("Anarchism", "Anarchism is a philosophy & more."),
            new TextDocument("Zoo", "A zoo has < animals."));

    private static String page(String text) {
        return HEAD + "<page><title>A</title><ns>0</ns><revision><text>" + text
                + "</text></revision></page></mediawiki>";
    }

    @Test
    void readsArticlesOnly() throws IOException {
        try (Corpus corpus = Corpora.open(file("dump", DUMP))) {
            assertThat(CorpusFiles.all(corpus)).isEqualTo(ARTICLES);
        }
    }

    @Test
    void readsDumpsInOneStreamOrInSeveral() throws IOException {
        assertThat(CorpusFiles.all(file("one.bz2", CorpusFiles.bzip2(DUMP)))).isEqualTo(ARTICLES);
        assertThat(CorpusFiles.all(file(
                        "several.bz2",
                        CorpusFiles.joined(
                                CorpusFiles.bzip2(HEAD), CorpusFiles.bzip2(FIRST), CorpusFiles.bzip2(OTHERS + LAST)))))
                .isEqualTo(ARTICLES);
        assertThat(CorpusFiles.all(file(
                        "several.gz",
                        CorpusFiles.joined(CorpusFiles.gzip(HEAD + FIRST), CorpusFiles.gzip(OTHERS + LAST)))))
                .isEqualTo(ARTICLES);
    }

    @Test
    void readsAsManyEntitiesAsThereAre() throws IOException {
        List<TextDocument> documents = CorpusFiles.all(file("quotes.xml", page("say &quot;so&quot; ".repeat(300_000))));
        assertThat(documents)
                .singleElement()
                .extracting(TextDocument::body)
                .asString()
                .hasSize(300_000 * 9 - 1);
    }

    @Test
    void replacesMalformedBytes() throws IOException {
        byte[] dump = DUMP.getBytes(UTF_8);
        dump[DUMP.indexOf("zoo")] = (byte) 0xFF;
        try (Corpus corpus = Corpora.open(file("dump", dump))) {
            assertThat(CorpusFiles.all(corpus)).last().isEqualTo(new TextDocument("Zoo", "A \uFFFDoo has < animals."));
        }
    }

    @Test
    void refusesADocumentType() throws IOException {
        Path secret = file("secret", "secret");
        String type = "<!DOCTYPE mediawiki [<!ENTITY x SYSTEM \"" + secret.toUri() + "\">]>\n";
        assertThatThrownBy(() -> CorpusFiles.all(file("entity.xml", type + page("&x;"))))
                .isInstanceOf(LabException.class)
                .hasMessageStartingWith("entity.xml: line ")
                .hasMessageContaining("a document type")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> CorpusFiles.all(file("unknown.xml", page("&x;"))))
                .isInstanceOf(LabException.class)
                .hasMessageStartingWith("unknown.xml: line 3");
    }

    @Test
    void namesTheLineWhereADumpIsDamaged() throws IOException {
        assertThatThrownBy(() -> CorpusFiles.all(file("cut.xml", HEAD + FIRST.substring(0, FIRST.indexOf("</text>")))))
                .isInstanceOf(LabException.class)
                .hasMessageStartingWith("cut.xml: line 5:");
        assertThatThrownBy(() -> CorpusFiles.all(file("page.html", "<html><body/></html>")))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("the root is <html>, not <mediawiki>");
        assertThatThrownBy(() -> CorpusFiles.all(file("nested.xml", page("a <b>c</b>"))))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("nested.xml: line 3")
                .hasMessageContaining("an element or an entity within text");
    }
}
