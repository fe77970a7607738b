package dev.larder.lab.search.index;

import java.io.IOException;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollectorManager;
import org.apache.lucene.search.vectorhighlight.FastVectorHighlighter;
import org.apache.lucene.search.vectorhighlight.FieldQuery;

/** Runs each kind of task. */
final class TaskExecution {

    private static final Sort GREATEST_VALUES = new Sort(new SortField(IndexFields.VALUE, SortField.Type.LONG, true));
    private static final Sort FIRST_GROUPS = new Sort(new SortField(IndexFields.GROUP, SortField.Type.STRING));

    private static final int FRAGMENTS = 2;
    private static final int FRAGMENT_CHARACTERS = 100;
    private static final FastVectorHighlighter HIGHLIGHTER = new FastVectorHighlighter(true, true);

    private TaskExecution() {}

    static SearchResult run(SearchTask task, IndexSearcher searcher) throws IOException {
        return switch (task.kind()) {
            case PRIMARY_KEYS -> Lookups.primaryKeys(task.words(), searcher.getIndexReader());
            case STORED_FIELDS -> Lookups.storedFields(number(task), searcher.getIndexReader());
            case DOC_VALUES -> Lookups.docValues(number(task), searcher.getIndexReader());
            default -> search(task, TaskQueries.query(task, searcher.getIndexReader()), searcher);
        };
    }

    private static long number(SearchTask task) {
        return Long.parseLong(task.text());
    }

    private static SearchResult search(SearchTask task, Query query, IndexSearcher searcher) throws IOException {
        TopDocs found = switch (task.kind()) {
            case SORT_VALUE -> searcher.search(query, SearchTask.TOP, GREATEST_VALUES);
            case SORT_GROUP -> searcher.search(query, SearchTask.TOP, FIRST_GROUPS);
            case OR_EXHAUSTIVE ->
                searcher.search(query, new TopScoreDocCollectorManager(SearchTask.TOP, null, Integer.MAX_VALUE));
            default -> searcher.search(query, SearchTask.TOP);
        };
        SearchResult.Sum sum = new SearchResult.Sum();
        sum.add(found);
        if (task.kind() == QueryKind.HIGHLIGHT) {
            addHighlights(query, searcher.getIndexReader(), found, sum);
        }
        return sum.result(found.totalHits.value());
    }

    private static void addHighlights(Query query, IndexReader reader, TopDocs found, SearchResult.Sum sum)
            throws IOException {
        FieldQuery terms = HIGHLIGHTER.getFieldQuery(query, reader);
        for (ScoreDoc document : found.scoreDocs) {
            for (String fragment : fragments(terms, reader, document.doc)) {
                sum.add(fragment.hashCode());
            }
        }
    }

    /** Returns a document's best fragments, with the terms marked. */
    static String[] fragments(FieldQuery terms, IndexReader reader, int document) throws IOException {
        return HIGHLIGHTER.getBestFragments(terms, reader, document, IndexFields.BODY, FRAGMENT_CHARACTERS, FRAGMENTS);
    }
}
