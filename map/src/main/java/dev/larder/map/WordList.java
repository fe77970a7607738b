package dev.larder.map;

import java.util.Arrays;

/** Words of entries, gathered from a step. */
final class WordList {

    private long[] words = new long[256];
    private int count;

    void clear() {
        count = 0;
    }

    void addAlive(long word) {
        if (IndexWord.isAlive(word)) {
            if (count == words.length) {
                words = Arrays.copyOf(words, 2 * count);
            }
            words[count++] = word;
        }
    }

    int count() {
        return count;
    }

    long get(int i) {
        return words[i];
    }
}
