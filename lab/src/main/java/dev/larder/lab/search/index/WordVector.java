package dev.larder.lab.search.index;

import dev.larder.lab.text.NumberedRandom;
import java.util.Locale;
import java.util.StringTokenizer;

/**
 * A vector of bytes for a text. Every word has its own vector, drawn from its letters. A text's vector is the sum of its
 * words' vectors, of length 127. Texts that share words are near each other.
 */
final class WordVector {

    private static final int LENGTH = Byte.MAX_VALUE;
    private static final int SHORTEST_WORD = 4;

    private WordVector() {}

    static byte[] of(String text, int dimensions) {
        int[] sums = new int[dimensions];
        StringTokenizer words = new StringTokenizer(text);
        while (words.hasMoreTokens()) {
            String word = words.nextToken();
            if (word.length() >= SHORTEST_WORD) { // shorter words are everywhere
                add(sums, word.toLowerCase(Locale.ROOT));
            }
        }
        return scaled(sums);
    }

    private static void add(int[] sums, String word) {
        NumberedRandom directions = new NumberedRandom(hash(word), 0);
        long bits = 0;
        for (int dimension = 0; dimension < sums.length; dimension++) {
            bits = dimension % Long.SIZE == 0 ? directions.next() : bits >>> 1;
            sums[dimension] += (bits & 1) == 0 ? -1 : 1;
        }
    }

    private static long hash(String word) {
        long hash = 0;
        for (int at = 0; at < word.length(); at++) {
            hash = hash * 31 + word.charAt(at);
        }
        return hash;
    }

    private static byte[] scaled(int[] sums) {
        double squares = 0;
        for (int sum : sums) {
            squares += (double) sum * sum;
        }
        double scale = squares == 0 ? 0 : LENGTH / Math.sqrt(squares);
        byte[] vector = new byte[sums.length];
        for (int dimension = 0; dimension < sums.length; dimension++) {
            vector[dimension] = (byte) Math.round(sums[dimension] * scale);
        }
        return vector;
    }
}
