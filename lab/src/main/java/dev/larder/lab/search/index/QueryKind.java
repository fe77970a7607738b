package dev.larder.lab.search.index;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A kind of query. High, medium and low are bands of terms by their number of documents: at least a tenth, a hundredth
 * or a thousandth of the most frequent term's.
 */
public enum QueryKind {
    /** One of the most frequent terms; the best fragments of the ten best documents, by FastVectorHighlighter. */
    HIGHLIGHT(1, 1),
    /** One high or medium term. */
    TERM(1, 1),
    /** Two high terms, both. */
    AND_HIGH_HIGH(2, 2),
    /** A high and a medium term, both. */
    AND_HIGH_MEDIUM(2, 2),
    /** Two high terms, either. */
    OR_HIGH_HIGH(2, 2),
    /** A high and a medium term, either. */
    OR_HIGH_MEDIUM(2, 2),
    /** Three terms, any of them; every document with one is scored and counted. */
    OR_EXHAUSTIVE(3, 3),
    /** Two words next to each other. */
    PHRASE(2, 2),
    /** Two words with a third between, or equally near in another way. */
    SLOPPY_PHRASE(2, 2),
    /** Two words in this order with at most ten others between them, by spans. */
    SPAN_NEAR(2, 2),
    /** As above, by intervals. */
    INTERVALS(2, 2),
    /** Terms within one edit of this one. */
    FUZZY1(1, 1),
    /** Terms within two edits of this one: nearly all of it is processor work. */
    FUZZY2(1, 1),
    /** Terms with a prefix. */
    PREFIX(1, 1),
    /** Terms with a prefix and a suffix. */
    WILDCARD(1, 1),
    /** Values from the first number to the second. */
    NUMERIC_RANGE(2, 2),
    /** The documents of a term with the largest values. */
    SORT_VALUE(1, 1),
    /** The documents of a term with the first groups. */
    SORT_GROUP(1, 1),
    /** Documents by their keys. */
    PRIMARY_KEYS(1, 1_000),
    /** The stored fields of 50 documents drawn by the number. */
    STORED_FIELDS(1, 1),
    /** The values of 2,000 documents drawn by the number. */
    DOC_VALUES(1, 1),
    /** The documents nearest to these words, if the index has vectors. */
    VECTOR(1, 100);

    private final int fewestWords;
    private final int mostWords;
    private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');

    QueryKind(int fewestWords, int mostWords) {
        this.fewestWords = fewestWords;
        this.mostWords = mostWords;
    }

    /** Returns its label: and-high-high. */
    public String label() {
        return label;
    }

    /**
     * Returns the kind of a label.
     *
     * @throws IllegalArgumentException with the kinds there are
     */
    public static QueryKind named(String label) {
        for (QueryKind kind : values()) {
            if (kind.label.equals(label)) {
                return kind;
            }
        }
        throw new IllegalArgumentException("'" + label + "' is not a kind of query; there are " + labels());
    }

    private static String labels() {
        return String.join(", ", Arrays.stream(values()).map(QueryKind::label).toList());
    }

    @Override
    public String toString() {
        return label;
    }

    /**
     * Refuses words that do not fit the kind.
     *
     * @throws IllegalArgumentException with the kind, the given and the required words
     */
    void check(List<String> words) {
        if (words.size() < fewestWords || words.size() > mostWords) {
            throw new IllegalArgumentException(
                    "a task " + label + " has " + fewestWords + " to " + mostWords + " words, found " + words.size());
        }
        if (this == NUMERIC_RANGE || this == STORED_FIELDS || this == DOC_VALUES) {
            words.forEach(this::checkNumber);
        }
    }

    private void checkNumber(String word) {
        if (!word.matches("\\d{1,18}")) {
            throw new IllegalArgumentException("a task " + label + " is of numbers, found '" + word + "'");
        }
    }
}
