package dev.larder.lab.search.index;

import dev.larder.lab.result.LabException;
import java.util.List;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.Term;
import org.apache.lucene.queries.intervals.IntervalQuery;
import org.apache.lucene.queries.intervals.Intervals;
import org.apache.lucene.queries.spans.SpanNearQuery;
import org.apache.lucene.queries.spans.SpanQuery;
import org.apache.lucene.queries.spans.SpanTermQuery;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.FuzzyQuery;
import org.apache.lucene.search.KnnByteVectorQuery;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.PrefixQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.WildcardQuery;

/** The queries of the tasks that have one. */
final class TaskQueries {

    /** The most words between those of a span or an interval. */
    static final int MOST_BETWEEN = 10;

    /** How far the words of a sloppy phrase may be moved. */
    static final int SLOP = 4;

    private TaskQueries() {}

    static Query query(SearchTask task, IndexReader reader) {
        List<String> words = task.words();
        return switch (task.kind()) {
            case HIGHLIGHT, TERM, SORT_VALUE, SORT_GROUP -> new TermQuery(term(words.getFirst()));
            case AND_HIGH_HIGH, AND_HIGH_MEDIUM -> each(words, Occur.MUST);
            case OR_HIGH_HIGH, OR_HIGH_MEDIUM, OR_EXHAUSTIVE -> each(words, Occur.SHOULD);
            case PHRASE -> phrase(words, 0);
            case SLOPPY_PHRASE -> phrase(words, SLOP);
            case SPAN_NEAR -> spanNear(words);
            case INTERVALS -> intervals(words);
            case FUZZY1 -> new FuzzyQuery(term(words.getFirst()), 1);
            case FUZZY2 -> new FuzzyQuery(term(words.getFirst()), 2);
            case PREFIX -> new PrefixQuery(term(words.getFirst()));
            case WILDCARD -> new WildcardQuery(term(words.getFirst()));
            case NUMERIC_RANGE -> range(words);
            case VECTOR -> vector(task.text(), reader);
            case PRIMARY_KEYS, STORED_FIELDS, DOC_VALUES ->
                throw new IllegalArgumentException("a task " + task.kind().label() + " has no query");
        };
    }

    private static Term term(String word) {
        return new Term(IndexFields.BODY, word);
    }

    private static Query each(List<String> words, Occur occur) {
        BooleanQuery.Builder query = new BooleanQuery.Builder();
        for (String word : words) {
            query.add(new TermQuery(term(word)), occur);
        }
        return query.build();
    }

    private static Query phrase(List<String> words, int slop) {
        return new PhraseQuery(slop, IndexFields.BODY, words.toArray(String[]::new));
    }

    private static Query spanNear(List<String> words) {
        SpanQuery[] clauses =
                words.stream().map(word -> new SpanTermQuery(term(word))).toArray(SpanQuery[]::new);
        return new SpanNearQuery(clauses, MOST_BETWEEN, true);
    }

    private static Query intervals(List<String> words) {
        return new IntervalQuery(
                IndexFields.BODY,
                Intervals.maxgaps(
                        MOST_BETWEEN,
                        Intervals.ordered(Intervals.term(words.getFirst()), Intervals.term(words.getLast()))));
    }

    private static Query range(List<String> words) {
        return LongPoint.newRangeQuery(
                IndexFields.VALUE, Long.parseLong(words.getFirst()), Long.parseLong(words.getLast()));
    }

    private static Query vector(String text, IndexReader reader) {
        return new KnnByteVectorQuery(
                IndexFields.VECTOR, WordVector.of(text, vectorDimensions(reader)), SearchTask.TOP);
    }

    /** Returns the index's vector dimensions. */
    private static int vectorDimensions(IndexReader reader) {
        int dimensions = vectorDimensionsOrZero(reader);
        if (dimensions == 0) {
            throw new LabException("a task " + QueryKind.VECTOR.label() + " is asked of an index without vectors");
        }
        return dimensions;
    }

    /** Returns the index's vector dimensions; 0 without vectors. */
    static int vectorDimensionsOrZero(IndexReader reader) {
        for (LeafReaderContext leaf : reader.leaves()) {
            FieldInfo field = leaf.reader().getFieldInfos().fieldInfo(IndexFields.VECTOR);
            if (field != null) {
                return field.getVectorDimension();
            }
        }
        return 0;
    }
}
