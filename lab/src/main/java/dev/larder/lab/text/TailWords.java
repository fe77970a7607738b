package dev.larder.lab.text;

import java.nio.charset.StandardCharsets;

/**
 * Words that no text has, as many as a natural vocabulary's rare words: 3,000,000 ranks by Zipf's law, of four syllables.
 */
final class TailWords {

    /** How many there are. */
    static final int RANKS = 3_000_000;

    /** Bytes of each. */
    static final int BYTES = 8;

    private static final byte[] CONSONANTS = "bcdfghjklmnpqrstvwxz".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] VOWELS = "aeiou".getBytes(StandardCharsets.US_ASCII);
    private static final int SYLLABLES = CONSONANTS.length * VOWELS.length;
    private static final long WORDS = (long) SYLLABLES * SYLLABLES * SYLLABLES * SYLLABLES;

    /** Coprime to the number of words, so that no two ranks have the same word. */
    private static final long STRIDE = 61_803_399;

    private TailWords() {}

    /** Draws a rank from 1 up with a probability near its reciprocal, by the inverse of the integral of 1/x. */
    static int rank(NumberedRandom random) {
        double rank = StrictMath.exp(random.fraction() * StrictMath.log(RANKS + 1.0));
        return (int) Math.min(rank, RANKS);
    }

    /** Writes the word of a rank. */
    static void write(int rank, byte[] target, int offset) {
        long rest = rank * STRIDE % WORDS;
        for (int at = offset; at < offset + BYTES; at += 2) {
            int syllable = (int) (rest % SYLLABLES);
            target[at] = CONSONANTS[syllable / VOWELS.length];
            target[at + 1] = VOWELS[syllable % VOWELS.length];
            rest /= SYLLABLES;
        }
    }
}
