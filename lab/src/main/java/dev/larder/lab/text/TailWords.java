package dev.larder.lab.text;

import java.nio.charset.StandardCharsets;

/**
 * Words that no text has, as many as a natural vocabulary has rare ones: 3,000,000 ranks by Zipf's law, four syllables each.
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

    /** Has no factor in common with the number of words, so that no two ranks have the same one. */
    private static final long STRIDE = 61_803_399;

    private TailWords() {}

    /** Draws a rank from 1 up, each nearly as likely as its reciprocal says: the integral of 1/x, turned around. */
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
