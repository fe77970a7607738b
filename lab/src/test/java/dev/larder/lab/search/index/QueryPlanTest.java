package dev.larder.lab.search.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.lab.result.LabException;
import dev.larder.tests.support.Effort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.vectorhighlight.FastVectorHighlighter;
import org.apache.lucene.search.vectorhighlight.FieldQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.MMapDirectory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class QueryPlanTest {

    private static final int TASKS = 20;
    private static final long SEED = 9;
    private static final SearchIndexOptions OPTIONS = new SearchIndexOptions(2_000, 42, 64, 1, 700);

    private static Directory directory = new ByteBuffersDirectory();
    private static QueryPlan plan = new QueryPlan(List.of());

    @TempDir
    Path folder;

    @BeforeAll
    static void build() throws IOException {
        directory = built(OPTIONS);
        plan = derived(directory);
    }

    private static Directory built(SearchIndexOptions options) throws IOException {
        Directory target = new ByteBuffersDirectory();
        new SearchIndex(SmallIndex.words(1), options).build(target, IndexProgress.SILENT);
        return target;
    }

    private static QueryPlan derived(Directory from) throws IOException {
        try (IndexReader reader = DirectoryReader.open(from)) {
            return QueryPlan.derive(reader, TASKS, SEED);
        }
    }

    @ParameterizedTest
    @EnumSource
    void hasTasksOfEachKindThatFindSomething(QueryKind kind) throws IOException {
        List<SearchTask> tasks = plan.of(kind);
        assertThat(tasks).hasSize(TASKS);
        try (IndexReader reader = DirectoryReader.open(directory)) {
            IndexSearcher searcher = SearchTask.searcher(reader);
            for (SearchTask task : tasks) {
                assertThat(task.run(searcher).hits()).as(task.line()).isPositive();
            }
        }
    }

    @ParameterizedTest
    @Tag(Effort.LONG)
    @EnumSource
    void findsTheSameInAnotherDirectory(QueryKind kind) throws IOException {
        try (Directory copy = new MMapDirectory(folder)) {
            for (String file : directory.listAll()) {
                copy.copyFrom(directory, file, file, IOContext.DEFAULT);
            }
            try (IndexReader here = DirectoryReader.open(directory);
                    IndexReader there = DirectoryReader.open(copy)) {
                for (SearchTask task : plan.of(kind)) {
                    assertThat(task.run(SearchTask.searcher(there)))
                            .as(task.line())
                            .isEqualTo(task.run(SearchTask.searcher(here)));
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void tasksOfAKindDiffer(QueryKind kind) throws IOException {
        try (IndexReader reader = DirectoryReader.open(directory)) {
            IndexSearcher searcher = SearchTask.searcher(reader);
            Set<Long> sums = new HashSet<>();
            for (SearchTask task : plan.of(kind)) {
                sums.add(task.run(searcher).checksum());
            }
            assertThat(sums).hasSizeGreaterThan(TASKS / 4);
        }
    }

    @Test
    void highlightsTheMostFrequentTerms() throws IOException {
        try (IndexReader reader = DirectoryReader.open(directory)) {
            List<String> terms =
                    plan.of(QueryKind.HIGHLIGHT).stream().map(SearchTask::text).toList();
            int last = reader.docFreq(new Term(IndexFields.BODY, terms.getLast()));
            long moreFrequent = 0;
            TermsEnum each = MultiTerms.getTerms(reader, IndexFields.BODY).iterator();
            for (BytesRef term = each.next(); term != null; term = each.next()) {
                moreFrequent += each.docFreq() > last ? 1 : 0;
                assertThat(each.docFreq() > last && !terms.contains(term.utf8ToString()))
                        .isFalse();
            }
            assertThat(moreFrequent).isLessThan(TASKS);
            assertThat(terms).doesNotHaveDuplicates();
        }
    }

    @Test
    void highlightsWhatItFound() throws IOException {
        try (IndexReader reader = DirectoryReader.open(directory)) {
            IndexSearcher searcher = SearchTask.searcher(reader);
            String term = plan.of(QueryKind.HIGHLIGHT).getFirst().text();
            Query query = new TermQuery(new Term(IndexFields.BODY, term));
            TopDocs found = searcher.search(query, SearchTask.TOP);
            SearchResult.Sum sum = new SearchResult.Sum();
            FieldQuery terms = new FastVectorHighlighter(true, true).getFieldQuery(query, reader);
            sum.add(found);
            for (ScoreDoc document : found.scoreDocs) {
                String[] fragments = TaskExecution.fragments(terms, reader, document.doc);
                assertThat(fragments).isNotEmpty().allMatch(text -> text.contains("<b>" + term + "</b>"));
                Arrays.stream(fragments).forEach(fragment -> sum.add(fragment.hashCode()));
            }
            assertThat(new SearchTask(QueryKind.HIGHLIGHT, term).run(searcher))
                    .isEqualTo(sum.result(found.totalHits.value()));
        }
    }

    @Test
    void takesTermsFromTheirBands() throws IOException {
        try (IndexReader reader = DirectoryReader.open(directory)) {
            int top = reader.docFreq(new Term(
                    IndexFields.BODY, plan.of(QueryKind.HIGHLIGHT).getFirst().text()));
            for (SearchTask task : plan.of(QueryKind.AND_HIGH_MEDIUM)) {
                List<String> words = task.words();
                assertThat(reader.docFreq(new Term(IndexFields.BODY, words.get(0))))
                        .isGreaterThanOrEqualTo(top / 10);
                assertThat(reader.docFreq(new Term(IndexFields.BODY, words.get(1))))
                        .isBetween(top / 100, top / 10);
            }
        }
    }

    @Test
    void countsEveryDocumentOfAnExhaustiveSearch() throws IOException {
        try (IndexReader reader = DirectoryReader.open(directory)) {
            IndexSearcher searcher = SearchTask.searcher(reader);
            for (SearchTask task : plan.of(QueryKind.OR_EXHAUSTIVE)) {
                assertThat(task.run(searcher).hits()).isEqualTo(searcher.count(TaskQueries.query(task, reader)));
            }
        }
    }

    @Test
    void findsKeysThatAreThereAndNoOthers() throws IOException {
        try (IndexReader reader = DirectoryReader.open(directory)) {
            IndexSearcher searcher = SearchTask.searcher(reader);
            SearchTask keys = new SearchTask(
                    QueryKind.PRIMARY_KEYS,
                    IndexFields.id(0) + " " + IndexFields.id(1_999) + " " + IndexFields.id(2_000));
            assertThat(keys.run(searcher).hits()).isEqualTo(2);
            assertThat(plan.of(QueryKind.PRIMARY_KEYS))
                    .allSatisfy(task -> assertThat(task.run(searcher).hits()).isEqualTo(50));
        }
    }

    @Test
    void derivesTheSameTasksHoweverTheSegmentsLie() throws IOException {
        assertThat(derived(directory)).isEqualTo(plan);
        assertThat(derived(built(new SearchIndexOptions(2_000, 42, 64, 3, 350))))
                .isEqualTo(plan);
    }

    @Test
    void derivesOthersByAnotherSeed() throws IOException {
        try (IndexReader reader = DirectoryReader.open(directory)) {
            QueryPlan other = QueryPlan.derive(reader, TASKS, SEED + 1);
            assertThat(other.of(QueryKind.PHRASE)).isNotEqualTo(plan.of(QueryKind.PHRASE));
            assertThat(other.of(QueryKind.HIGHLIGHT)).isEqualTo(plan.of(QueryKind.HIGHLIGHT));
        }
    }

    @Test
    void leavesVectorsOutWhereThereAreNone() throws IOException {
        QueryPlan without = derived(built(new SearchIndexOptions(2_000, 42, 0, 1, 700)));
        assertThat(without.kinds()).isEqualTo(EnumSet.complementOf(EnumSet.of(QueryKind.VECTOR)));
        assertThat(plan.kinds()).isEqualTo(EnumSet.allOf(QueryKind.class));
    }

    @Test
    void travelsAsTextAndIsReadBack() throws IOException {
        for (SearchTask task : plan.tasks()) {
            assertThat(SearchTask.of(task.bytes())).isEqualTo(task);
        }
        plan.write(folder.resolve("tasks.txt"));
        assertThat(QueryPlan.read(folder.resolve("tasks.txt"))).isEqualTo(plan);
        assertThat(folder.resolve("tasks.txt"))
                .content()
                .contains("\nand-high-high: "
                        + plan.of(QueryKind.AND_HIGH_HIGH).getFirst().text() + "\n");
    }

    @Test
    void refusesWhatIsNoTask() throws IOException {
        assertThatThrownBy(() -> SearchTask.of("term")).hasMessageContaining("'term'");
        assertThatThrownBy(() -> SearchTask.of("tram: x"))
                .hasMessageStartingWith("'tram' is not a kind of query; there are highlight, term");
        assertThatThrownBy(() -> SearchTask.of("phrase: one")).hasMessage("a task phrase has 2 to 2 words, found 1");
        assertThatThrownBy(() -> SearchTask.of("phrase: one  two")).hasMessageContaining("one space");
        assertThatThrownBy(() -> SearchTask.of("term: a\nb")).hasMessageContaining("control characters");
        assertThatThrownBy(() -> SearchTask.of("numeric-range: 1 x")).hasMessageContaining("found 'x'");
        Files.writeString(folder.resolve("tasks.txt"), "# comment\n\nterm: a b\n");
        assertThatThrownBy(() -> QueryPlan.read(folder.resolve("tasks.txt")))
                .isInstanceOf(LabException.class)
                .hasMessage("tasks.txt: line 3: a task term has 1 to 1 words, found 2");
    }

    @Test
    void refusesAQueryCache() throws IOException {
        try (IndexReader reader = DirectoryReader.open(directory)) {
            IndexSearcher searcher = new IndexSearcher(reader);
            assertThatThrownBy(() -> plan.tasks().getFirst().run(searcher)).hasMessageContaining("query cache");
        }
    }

    @Test
    void saysThatAnIndexIsTooSmall() throws IOException {
        Directory small = new ByteBuffersDirectory();
        try (IndexWriter writer = new IndexWriter(small, SearchIndex.writerConfig(16))) {
            Document document = new Document();
            document.add(new TextField(IndexFields.BODY, "one", Field.Store.YES));
            writer.addDocument(document);
            writer.commit();
        }
        assertThatThrownBy(() -> derived(small))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("too small");
        try (IndexReader reader = DirectoryReader.open(small)) {
            assertThatThrownBy(() -> SearchTask.of("vector: one").run(SearchTask.searcher(reader)))
                    .isInstanceOf(LabException.class)
                    .hasMessageContaining("without vectors");
        }
    }
}
