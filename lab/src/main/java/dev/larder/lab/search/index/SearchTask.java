package dev.larder.lab.search.index;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.IndexSearcher;

/**
 * One question to an index. On the wire and in files it is a line: {@code and-high-high: the of}.
 *
 * @param kind of the question
 * @param text its words, separated by one space
 */
public record SearchTask(QueryKind kind, String text) {

    /** How many documents a task requests. */
    public static final int TOP = 10;

    private static final String SEPARATOR = ": ";

    /** Checks that the words fit the kind. */
    public SearchTask {
        if (text.chars().anyMatch(Character::isISOControl) || words(text).contains("")) {
            throw new IllegalArgumentException(
                    "the words of a task have one space between them, and no control characters: '" + text + "'");
        }
        kind.check(words(text));
    }

    private static List<String> words(String text) {
        return Arrays.asList(text.split(" ", -1));
    }

    List<String> words() {
        return words(text);
    }

    /** Returns the task as a line of text. */
    public String line() {
        return kind.label() + SEPARATOR + text;
    }

    /** Returns the line in UTF-8. */
    public byte[] bytes() {
        return line().getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Returns the task of a line.
     *
     * @throws IllegalArgumentException if it is not a task
     */
    public static SearchTask of(String line) {
        int separator = line.indexOf(SEPARATOR);
        if (separator < 0) {
            throw new IllegalArgumentException("no task: '" + line + "'; one is KIND: WORDS");
        }
        return new SearchTask(
                QueryKind.named(line.substring(0, separator)), line.substring(separator + SEPARATOR.length()));
    }

    /** Returns the task of these bytes, a line in UTF-8. */
    public static SearchTask of(byte[] bytes) {
        return of(new String(bytes, StandardCharsets.UTF_8));
    }

    /** Returns a searcher without a query cache: with one, a repeated task would search nothing. */
    public static IndexSearcher searcher(IndexReader reader) {
        IndexSearcher searcher = new IndexSearcher(reader);
        searcher.setQueryCache(null);
        return searcher;
    }

    /**
     * Runs the task.
     *
     * @param searcher without a query cache, such as {@link #searcher} returns
     */
    public SearchResult run(IndexSearcher searcher) throws IOException {
        if (searcher.getQueryCache() != null) {
            throw new IllegalArgumentException(
                    "the searcher has a query cache: what is repeated would not be searched");
        }
        return TaskExecution.run(this, searcher);
    }

    @Override
    public String toString() {
        return line();
    }
}
