package dev.larder.lab.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WikiTextTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            value = {
                "'''bold''' and ''italic'', it's ~ bold and italic, it's",
                "a [[link]] and [[target|label]] ~ a link and label",
                "a {{cite|b={{nested}}|c}} d ~ a  d",
                "a [[File:x.jpg|thumb|A [[nested]] caption]] b ~ a  b",
                "a [[Kategorie:Stadt]] b [[Alien: the film]] ~ a  b Alien: the film",
                "a<ref name=\"x\">book</ref> b<ref name=\"x\"/> c<br/>d ~ a b cd",
                "a <!-- hidden --> b ~ a  b",
                "a [https://example.org/x label] b [https://example.org] ~ a  label b",
                "x < y && y > z ~ x < y && y > z",
                "a&nbsp;b &amp; c ~ a b   c",
                "never {{closed ~ never",
                "]] }} | a ~ }} | a", // these close nothing
                "[[a [[b [[c ~ a b c",
            })
    void keepsTheWordsThatAReaderSees(String markup, String plain) {
        assertThat(WikiText.plain(markup)).isEqualTo(plain);
    }

    @Test
    void leavesOutTablesHeadingsAndSignsOfLists() {
        assertThat(WikiText.plain("== History ==\n* one\n# two\n{| class=x\n|-\n| cell\n|}\nend"))
                .isEqualTo("History \none\n two\n\nend".replace("\none", "\n one"));
    }

    @Test
    void takesOnePassOverWhatIsNeverClosed() {
        for (String opened : new String[] {"{{", "[[", "<ref>", "<!--", "&", "[[a|", "'", "<", "[http:"}) {
            String plain = WikiText.plain(opened.repeat(500_000));
            assertThat(plain.length()).isLessThanOrEqualTo(opened.length() * 500_000);
        }
    }
}
