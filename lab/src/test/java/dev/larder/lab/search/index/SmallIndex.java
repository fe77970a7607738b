package dev.larder.lab.search.index;

import dev.larder.lab.text.Corpus;
import dev.larder.lab.text.Fragments;
import dev.larder.lab.text.NumberedRandom;
import dev.larder.lab.text.TextDocument;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Words for small test indexes: a thousand of them, by Zipf's law. */
final class SmallIndex {

    private static final int RECORDS = 300;
    private static final String[] SYLLABLES = {"ta", "ren", "mo", "lis", "ke", "dor", "pa", "nim", "su", "vel"};

    private SmallIndex() {}

    static Fragments words(int seed) throws IOException {
        Path file = Files.createTempFile("words", "");
        try {
            return Fragments.keep(new Numbered(seed), 1 << 20, file);
        } finally {
            Files.delete(file);
        }
    }

    /** Returns the word of a rank, of three syllables, so that words share their beginnings and ends. */
    static String word(int rank) {
        return SYLLABLES[rank % 10] + SYLLABLES[rank / 10 % 10] + SYLLABLES[rank / 100 % 10];
    }

    private static final class Numbered implements Corpus {

        private final int seed;
        private int records;

        Numbered(int seed) {
            this.seed = seed;
        }

        @Override
        public String name() {
            return "numbered";
        }

        @Override
        public @Nullable TextDocument next() {
            if (records++ == RECORDS) {
                return null;
            }
            NumberedRandom random = new NumberedRandom(seed, records);
            return new TextDocument(
                    "",
                    IntStream.range(0, 100)
                            .mapToObj(at -> word((int) StrictMath.exp(random.fraction() * StrictMath.log(1000))))
                            .collect(Collectors.joining(" ")));
        }

        @Override
        public void close() {}
    }
}
