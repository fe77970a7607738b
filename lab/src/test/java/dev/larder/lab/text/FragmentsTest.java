package dev.larder.lab.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FragmentsTest {

    private static final int PLENTY = 1 << 20;

    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("words");
    }

    private static String numbered(int words) {
        return IntStream.range(0, words).mapToObj(word -> "w" + word).collect(Collectors.joining(" "));
    }

    private static String word(Fragments fragments, long word) {
        long at = fragments.wordAt(word);
        byte[] bytes = new byte[300];
        return new String(bytes, 0, fragments.copy(at, fragments.wordEnd(at), bytes, 0), StandardCharsets.UTF_8);
    }

    private static List<String> words(Fragments fragments) {
        List<String> words = new ArrayList<>();
        for (long word = 0; word < fragments.words(); word++) {
            words.add(word(fragments, word));
        }
        return words;
    }

    @Test
    void findsEveryWordByItsNumber() throws IOException {
        Fragments fragments = Fragments.keep(new ListedCorpus(numbered(1_000)), PLENTY, file());
        assertThat(words(fragments)).isEqualTo(List.of(numbered(1_000).split(" ")));
    }

    @Test
    void separatesWordsByAnyWhiteSpaceAndRecordsFromEachOther() throws IOException {
        String longWord = "x".repeat(Fragments.LONGEST_WORD + 1);
        Fragments fragments = Fragments.keep(
                new ListedCorpus(" a\t\r\n\u00A0b\u2003" + longWord + " \u0001é", " \n", numbered(100)),
                PLENTY,
                file());
        assertThat(words(fragments)).startsWith("a", "b", "é", "w0").hasSize(103);
        List<String> last = new ArrayList<>();
        for (long word = 0; word < fragments.words(); word++) {
            if (fragments.isRecordEnd(fragments.wordEnd(fragments.wordAt(word)))) {
                last.add(word(fragments, word));
            }
        }
        assertThat(last).containsExactly("é", "w99");
    }

    @Test
    void keepsNoMoreThanItIsAllowedTo() throws IOException {
        Fragments fragments = Fragments.keep(new ListedCorpus(numbered(400), numbered(400)), 2_000, file());
        assertThat(fragments.textBytes()).isBetween(1_900L, 2_000L);
        assertThat(words(fragments)).startsWith("w0", "w1").last().isEqualTo("w" + (fragments.words() - 401));
    }

    @Test
    void standsForItsWords() throws IOException {
        Fragments kept = Fragments.keep(new ListedCorpus(numbered(500)), PLENTY, file());
        assertThat(Fragments.open(file()).fingerprint()).isEqualTo(kept.fingerprint());
        assertThat(Fragments.keep(new ListedCorpus(numbered(500)), PLENTY, folder.resolve("same"))
                        .fingerprint())
                .isEqualTo(kept.fingerprint());
        assertThat(Fragments.keep(new ListedCorpus(numbered(501)), PLENTY, folder.resolve("other"))
                        .fingerprint())
                .isNotEqualTo(kept.fingerprint());
    }

    @Test
    void findsEveryKindOfDamage() throws IOException {
        Fragments.keep(new ListedCorpus(numbered(100)), PLENTY, file());
        byte[] sound = Files.readAllBytes(file());
        for (int at = 0; at < sound.length; at++) {
            byte[] damaged = sound.clone();
            damaged[at] ^= 0x40;
            Files.write(file(), damaged);
            assertThatThrownBy(() -> Fragments.open(file()))
                    .as("byte %d", at)
                    .isInstanceOf(LabException.class)
                    .hasMessageStartingWith("words: ");
        }
    }

    @Test
    void refusesWhatIsTooLittle() {
        assertThatThrownBy(() -> Fragments.keep(new ListedCorpus(numbered(99)), PLENTY, file()))
                .isInstanceOf(LabException.class)
                .hasMessage("listed: 99 words, too few for documents; at least 100");
        assertThat(folder).isEmptyDirectory();
        assertThatThrownBy(() -> Fragments.keep(new ListedCorpus(numbered(100)), 1_023, file()))
                .hasMessage("words of 1023 bytes are not from 1 KiB to 1 GiB");
    }
}
