package dev.larder.lab.text;

import java.nio.charset.StandardCharsets;

/**
 * Makes any number of documents from the words of a corpus. Document {@code i} of the same words and the same seed is the
 * same on every machine, regardless of earlier documents.
 *
 * <p>A document consists of fragments of 4 to 12 consecutive words, until it has {@value #CHARACTERS} characters. Each
 * fragment comes from a uniformly drawn place (and ends where its record does). So the frequencies of words and of word
 * pairs stay close to the corpus. One word in 50 is replaced by one of {@value TailWords#RANKS} that no text has, by
 * Zipf's law: a vocabulary grows with its text. Any number of threads may use it.
 */
public final class Resampler {

    /** The characters after which no word begins. */
    public static final int CHARACTERS = 1_000;

    /** To increase when documents change. */
    private static final int RECIPE = 1;

    private static final int FEWEST_WORDS = 4;
    private static final int MOST_WORDS = 12;
    private static final int ONE_REPLACED_IN = 50;
    private static final int MOST_BYTES = 4 * CHARACTERS + Fragments.LONGEST_WORD + 1;
    private static final int MOST_TITLE_BYTES = MOST_WORDS * (Fragments.LONGEST_WORD + 1);

    private final Fragments fragments;
    private final long seed;

    /** Documents of these words by this seed. */
    public Resampler(Fragments fragments, long seed) {
        this.fragments = fragments;
        this.seed = seed;
    }

    /** Returns a text that identifies these documents. */
    public String fingerprint() {
        return fragments.fingerprint() + " seed " + seed + " recipe " + RECIPE;
    }

    /**
     * Makes a document: its title is a fragment, its body is enough fragments.
     *
     * @param number of the document, from 0
     */
    public TextDocument document(long number) {
        if (number < 0) {
            throw new IllegalArgumentException("the number of a document is from 0 up, found " + number);
        }
        NumberedRandom random = new NumberedRandom(seed, number);
        Text title = new Text(MOST_TITLE_BYTES);
        append(title, random);
        Text body = new Text(MOST_BYTES);
        while (body.hasRoom()) {
            append(body, random);
        }
        return new TextDocument(title.toString(), body.toString());
    }

    private void append(Text text, NumberedRandom random) {
        long at = fragments.wordAt(random.below(fragments.words()));
        long words = FEWEST_WORDS + random.below(MOST_WORDS - FEWEST_WORDS + 1);
        boolean more = true;
        while (more && text.hasRoom()) {
            long end = fragments.wordEnd(at);
            if (random.below(ONE_REPLACED_IN) == 0) {
                text.appendTail(TailWords.rank(random));
            } else {
                text.append(fragments, at, end);
            }
            more = --words > 0 && !fragments.isRecordEnd(end);
            at = end + 1;
        }
    }

    /** UTF-8 words with a count of characters. */
    private static final class Text {

        private final byte[] bytes;
        private int length;
        private int characters;

        Text(int mostBytes) {
            bytes = new byte[mostBytes];
        }

        boolean hasRoom() {
            return characters < CHARACTERS;
        }

        void append(Fragments fragments, long at, long end) {
            separate();
            int start = length;
            length = fragments.copy(at, end, bytes, start);
            for (int each = start; each < length; each++) {
                characters += (bytes[each] & 0xC0) == 0x80 ? 0 : 1; // a continuation byte
            }
        }

        void appendTail(int rank) {
            separate();
            TailWords.write(rank, bytes, length);
            length += TailWords.BYTES;
            characters += TailWords.BYTES;
        }

        private void separate() {
            if (length > 0) {
                bytes[length] = ' ';
                length++;
                characters++;
            }
        }

        @Override
        public String toString() {
            return new String(bytes, 0, length, StandardCharsets.UTF_8);
        }
    }
}
