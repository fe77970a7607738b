package dev.larder.lab.search.index;

import org.apache.lucene.index.Term;

/**
 * The fields of every document.
 *
 * <pre>
 * id      keyword, stored    the document's number: the primary key
 * title   stored
 * body    text, stored; positions, offsets, term vectors with both (FastVectorHighlighter needs them)
 * value   point, numeric doc value      0 to 999,999, each as likely
 * group   sorted doc value              g00000 to g09999, by Zipf's law
 * vector  bytes, if there are dimensions: near for shared words
 * </pre>
 */
public final class IndexFields {

    /** The primary key. */
    public static final String ID = "id";

    /** The title of the document. */
    public static final String TITLE = "title";

    /** The searched text. */
    public static final String BODY = "body";

    /** A number, for ranges and for sorting. */
    public static final String VALUE = "value";

    /** A keyword, for sorting and for grouping. */
    public static final String GROUP = "group";

    /** The vector of the body's words. */
    public static final String VECTOR = "vector";

    /** Upper bound of numbers in {@link #VALUE}, exclusive. */
    public static final long VALUES = 1_000_000;

    /** The maximum number of groups. */
    public static final int GROUPS = 10_000;

    private static final int ID_RADIX = 36;
    private static final int ID_DIGITS = 7;

    private IndexFields() {}

    /** Returns the primary key of a document: seven digits in base 36, which sort like the numbers. */
    public static String id(long number) {
        String digits = Long.toString(number, ID_RADIX);
        return "0".repeat(Math.max(0, ID_DIGITS - digits.length())) + digits;
    }

    /** Returns the term that finds a document. */
    public static Term idTerm(long number) {
        return new Term(ID, id(number));
    }
}
