package dev.larder.lab.search.index;

import dev.larder.lab.text.NumberedRandom;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.IndexReader;

/** Derives tasks of each kind from an index. */
final class TaskDerivation {

    private static final int KEYS = 50;
    private static final int VECTOR_WORDS = 8;
    private static final int PREFIX_LETTERS = 3;
    private static final int SUFFIX_LETTERS = 2;
    private static final long NUMBERS = 1L << 40;

    private final IndexReader reader;
    private final int tasksAKind;
    private final long seed;
    private final TermCensus census;
    private final List<SearchTask> tasks = new ArrayList<>();

    TaskDerivation(IndexReader reader, int tasksAKind, long seed) throws IOException {
        this.reader = reader;
        this.tasksAKind = tasksAKind;
        this.seed = seed;
        census = new TermCensus(reader, tasksAKind, seed);
    }

    List<SearchTask> tasks() throws IOException {
        boolean vectors = TaskQueries.vectorDimensionsOrZero(reader) > 0;
        for (QueryKind kind : QueryKind.values()) {
            if (kind == QueryKind.HIGHLIGHT) {
                census.mostFrequent().forEach(term -> tasks.add(new SearchTask(kind, term)));
            } else if (kind != QueryKind.VECTOR || vectors) {
                derive(kind);
            }
        }
        return tasks;
    }

    /** Each kind has its own random numbers: another kind changes none of its tasks. */
    private void derive(QueryKind kind) throws IOException {
        NumberedRandom random = new NumberedRandom(seed, kind.label().hashCode());
        Neighbours neighbours = new Neighbours(reader, census, random);
        for (int count = 0; count < tasksAKind; count++) {
            tasks.add(new SearchTask(kind, text(kind, random, neighbours)));
        }
    }

    private String text(QueryKind kind, NumberedRandom random, Neighbours neighbours) throws IOException {
        return switch (kind) {
            case AND_HIGH_HIGH, OR_HIGH_HIGH -> twoHigh(random);
            case AND_HIGH_MEDIUM, OR_HIGH_MEDIUM -> high(random) + " " + medium(random);
            case OR_EXHAUSTIVE -> twoHigh(random) + " " + medium(random);
            case HIGHLIGHT, TERM, SORT_VALUE, SORT_GROUP -> random.below(2) == 0 ? high(random) : medium(random);
            case PHRASE -> neighbours.pair(1);
            case SLOPPY_PHRASE -> neighbours.pair(2);
            case SPAN_NEAR, INTERVALS -> neighbours.pair(TaskQueries.MOST_BETWEEN / 2);
            case FUZZY1, FUZZY2 -> word(random);
            case PREFIX -> word(random).substring(0, PREFIX_LETTERS);
            case WILDCARD -> wildcard(word(random));
            case NUMERIC_RANGE -> range(random);
            case PRIMARY_KEYS -> keys(random);
            case STORED_FIELDS, DOC_VALUES -> Long.toString(random.below(NUMBERS));
            case VECTOR -> neighbours.row(VECTOR_WORDS);
        };
    }

    private String high(NumberedRandom random) {
        return census.high().draw(random);
    }

    private String twoHigh(NumberedRandom random) {
        String first = high(random);
        return first + " " + census.high().drawOther(first, random);
    }

    private String medium(NumberedRandom random) {
        return census.medium().draw(random);
    }

    private String word(NumberedRandom random) {
        return census.words().draw(random);
    }

    private static String wildcard(String word) {
        return word.substring(0, SUFFIX_LETTERS) + "*" + word.substring(word.length() - SUFFIX_LETTERS);
    }

    /** Covers 0.1 to 10 percent of all values. */
    private static String range(NumberedRandom random) {
        long width = IndexFields.VALUES / 1_000 + random.below(IndexFields.VALUES / 10);
        long first = random.below(IndexFields.VALUES - width);
        return first + " " + (first + width - 1);
    }

    private String keys(NumberedRandom random) {
        List<String> keys = new ArrayList<>();
        for (int count = 0; count < KEYS; count++) {
            keys.add(IndexFields.id(random.below(reader.numDocs())));
        }
        return String.join(" ", keys);
    }
}
