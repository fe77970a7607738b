package dev.larder.lab.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ResamplerTest {

    private static final int RECORDS = 200;
    private static final Pattern TAIL_WORD = Pattern.compile("([bcdfghjklmnpqrstvwxz][aeiou]){4}");

    private final String[] records = new String[RECORDS];
    private Path file = Path.of("");
    private Fragments fragments;

    /**
     * Makes records of 40 words. The first word is in each record, word N as often as its reciprocal; two always occur
     * together.
     */
    @BeforeAll
    void keepWords(@TempDir Path folder) throws IOException {
        for (int record = 0; record < RECORDS; record++) {
            NumberedRandom random = new NumberedRandom(1, record);
            records[record] = IntStream.range(0, 40)
                    .mapToObj(at -> "Z" + (int) StrictMath.exp(random.fraction() * StrictMath.log(500)))
                    .map(word -> word.equals("Z7") ? "Z7 Follower" : word)
                    .collect(Collectors.joining(" "));
        }
        file = folder.resolve("words");
        fragments = Fragments.keep(new ListedCorpus(records), 1 << 20, file);
    }

    private static Map<String, Integer> count(Iterable<String> texts) {
        Map<String, Integer> counts = new HashMap<>();
        texts.forEach(text -> {
            for (String word : text.split(" ", -1)) {
                counts.merge(word, 1, Integer::sum);
            }
        });
        return counts;
    }

    private Iterable<String> bodies(long seed, int documents) {
        Resampler resampler = new Resampler(fragments, seed);
        return IntStream.range(0, documents)
                .mapToObj(number -> resampler.document(number).body())
                .toList();
    }

    @Test
    void makesTheSameDocumentsEachTimeInAnyOrder() throws IOException {
        Resampler first = new Resampler(fragments, 42);
        Resampler again = new Resampler(Fragments.open(file), 42);
        for (long number : new long[] {7, 0, 3_000_000_000L, 7}) {
            assertThat(again.document(number)).isEqualTo(first.document(number));
        }
        assertThat(again.fingerprint()).isEqualTo(first.fingerprint());
    }

    @Test
    void makesOtherDocumentsOfOtherNumbersAndSeeds() {
        Set<TextDocument> documents = new HashSet<>();
        for (long number = 0; number < 1_000; number++) {
            documents.add(new Resampler(fragments, 42).document(number));
            documents.add(new Resampler(fragments, 43).document(number));
        }
        assertThat(documents).hasSize(2_000);
        assertThat(new Resampler(fragments, 42).fingerprint()).isNotEqualTo(new Resampler(fragments, 43).fingerprint());
    }

    /** Fails when documents change: then increase the recipe. */
    @Test
    void makesTheDocumentsThatItEverMade() {
        assertThat(new Resampler(fragments, 42).document(7))
                .satisfies(document -> assertThat(
                                document.title() + "|" + document.body().substring(0, 60))
                        .isEqualTo("Z452 Z2 Z9 Z1 Z53 Z53 Z8|Z2 Z33 Z15 Z408 Z22 Z248 Z156 Z253 Z4 Z244 kawebora"
                                + " Z89 Z11 "));
    }

    @Test
    void endsADocumentAtAThousandCharacters() {
        assertThat(bodies(1, 300)).allSatisfy(body -> {
            assertThat(body.length()).isBetween(Resampler.CHARACTERS, Resampler.CHARACTERS + 10);
            assertThat(body).doesNotContain("  ").doesNotStartWith(" ").doesNotEndWith(" ");
        });
    }

    @Test
    void keepsTheFrequenciesOfWords() {
        Map<String, Integer> real = count(List.of(records));
        Map<String, Integer> made = count(bodies(5, 3_000));
        double realWords = real.values().stream().mapToInt(Integer::intValue).sum();
        double madeWords = made.values().stream().mapToInt(Integer::intValue).sum();
        for (int rank = 1; rank <= 8; rank++) {
            double expected = real.getOrDefault("Z" + rank, 0) / realWords * 0.98;
            assertThat(made.getOrDefault("Z" + rank, 0) / madeWords)
                    .as("Z%d", rank)
                    .isCloseTo(expected, within(expected / 10));
        }
    }

    @Test
    void keepsWordsTogether() {
        String all = String.join(" ", bodies(5, 300));
        int together = all.split("Z7 Follower", -1).length - 1;
        int alone = all.split("Z7 ", -1).length - 1;
        assertThat((double) together / alone).isBetween(0.75, 0.99);
    }

    @Test
    void replacesOneWordInFiftyByATailThatGrows() {
        Map<String, Integer> few = tail(300);
        Map<String, Integer> many = tail(3_000);
        int words = count(bodies(5, 3_000)).values().stream()
                .mapToInt(Integer::intValue)
                .sum();
        int replaced = many.values().stream().mapToInt(Integer::intValue).sum();
        assertThat(words / replaced).isBetween(47, 53);
        assertThat(many.size()).isGreaterThan(5 * few.size());
    }

    private Map<String, Integer> tail(int documents) {
        Map<String, Integer> counts = count(bodies(5, documents));
        counts.keySet().removeIf(word -> !TAIL_WORD.matcher(word).matches());
        return counts;
    }

    @Test
    void hasAWordForEachRank() {
        Set<String> words = new HashSet<>();
        byte[] word = new byte[TailWords.BYTES];
        for (int rank = 1; rank <= TailWords.RANKS; rank += 7) {
            TailWords.write(rank, word, 0);
            words.add(new String(word, StandardCharsets.US_ASCII));
        }
        assertThat(words).hasSize((TailWords.RANKS + 6) / 7).allMatch(TAIL_WORD.asMatchPredicate());
    }

    @Test
    void refusesNumbersBelowZero() {
        assertThatThrownBy(() -> new Resampler(fragments, 1).document(-1)).hasMessageContaining("found -1");
    }
}
