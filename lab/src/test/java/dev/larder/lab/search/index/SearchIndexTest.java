package dev.larder.lab.search.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.lab.result.LabException;
import dev.larder.lab.text.Fragments;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.FieldInfo;
import org.apache.lucene.index.FieldInfos;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SearchIndexTest {

    private static final long DOCUMENTS = 1_250;
    private static final SearchIndexOptions OPTIONS = new SearchIndexOptions(DOCUMENTS, 42, 16, 1, 350);

    private static Fragments words;
    private static Map<String, String> uninterrupted = Map.of();

    @BeforeAll
    static void build() throws IOException {
        words = SmallIndex.words(1);
        uninterrupted = statistics(built(OPTIONS));
    }

    private static Directory built(SearchIndexOptions options) throws IOException {
        Directory directory = new ByteBuffersDirectory();
        new SearchIndex(words, options).build(directory, IndexProgress.SILENT);
        return directory;
    }

    /** Returns the counts of each term and of its documents, for every field with terms. */
    private static Map<String, String> statistics(Directory directory) throws IOException {
        Map<String, String> statistics = new TreeMap<>();
        try (IndexReader reader = DirectoryReader.open(directory)) {
            statistics.put("documents", reader.numDocs() + " of " + reader.maxDoc());
            for (String field : List.of(IndexFields.ID, IndexFields.BODY)) {
                Terms terms = MultiTerms.getTerms(reader, field);
                TermsEnum each = terms.iterator();
                for (BytesRef term = each.next(); term != null; term = each.next()) {
                    statistics.put(field + " " + term.utf8ToString(), each.docFreq() + " " + each.totalTermFreq());
                }
            }
        }
        return statistics;
    }

    private static void check(Directory directory) throws IOException {
        try (CheckIndex check = new CheckIndex(directory)) {
            assertThat(check.checkIndex().clean).isTrue();
        }
    }

    /** Returns a progress that stops the build at this number of documents. */
    private static IndexProgress stopAt(long stop) {
        return (indexed, documents, step) -> {
            if (indexed >= stop) {
                throw new LabException("stopped at " + indexed);
            }
        };
    }

    @Test
    void buildsWhatItSays() throws IOException {
        Directory directory = new ByteBuffersDirectory();
        List<String> steps = new ArrayList<>();
        IndexSummary summary = new SearchIndex(words, OPTIONS)
                .build(directory, (indexed, documents, step) -> steps.add(step + " " + indexed + "/" + documents));
        long bytes = 0;
        for (String file : directory.listAll()) {
            bytes += file.equals("write.lock") ? 0 : directory.fileLength(file);
        }
        assertThat(summary.documents()).isEqualTo(DOCUMENTS);
        assertThat(summary.startedAt()).isZero();
        assertThat(summary.bytes()).isEqualTo(bytes);
        assertThat(steps).startsWith("committing 350/1250", "committing 700/1250", "indexing 1000/1250");
        assertThat(steps).endsWith("committing 1250/1250", "merging 1250/1250");
        check(directory);
    }

    @Test
    void hasEveryFieldAsSearchesNeedIt() throws IOException {
        try (IndexReader reader = DirectoryReader.open(built(OPTIONS))) {
            FieldInfos fields = FieldInfos.getMergedFieldInfos(reader);
            FieldInfo body = fields.fieldInfo(IndexFields.BODY);
            assertThat(body).isNotNull();
            assertThat(body.getIndexOptions()).isEqualTo(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS);
            assertThat(body.hasTermVectors()).isTrue();
            Terms vector = reader.termVectors().get(0, IndexFields.BODY);
            assertThat(vector.hasPositions() && vector.hasOffsets()).isTrue();
            Document stored = reader.storedFields().document(0);
            assertThat(stored.get(IndexFields.BODY)).hasSizeGreaterThan(999);
            assertThat(stored.get(IndexFields.TITLE)).isNotEmpty();
            assertThat(stored.get(IndexFields.ID)).isEqualTo("0000000");
            assertThat(fields.fieldInfo(IndexFields.VECTOR).getVectorDimension())
                    .isEqualTo(16);
            assertThat(fields.fieldInfo(IndexFields.VALUE).getPointDimensionCount())
                    .isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 700, 1_000, 1_250})
    void goesOnWhereItWasInterrupted(long stop) throws IOException {
        Directory directory = new ByteBuffersDirectory();
        SearchIndex index = new SearchIndex(words, OPTIONS);
        assertThatThrownBy(() -> index.build(directory, stopAt(stop))).hasMessageStartingWith("stopped at");
        IndexState state = index.state(directory);
        assertThat(state.finished()).isFalse();
        IndexSummary summary = index.build(directory, IndexProgress.SILENT);
        assertThat(summary.startedAt()).isEqualTo(state.next());
        assertThat(index.state(directory).finished()).isTrue();
        assertThat(statistics(directory)).isEqualTo(uninterrupted);
        check(directory);
    }

    @Test
    void goesOnWithTheMergesAlone() throws IOException {
        Directory directory = new ByteBuffersDirectory();
        SearchIndex index = new SearchIndex(words, OPTIONS);
        IndexProgress stop = (indexed, documents, step) -> {
            if (step.equals("merging")) {
                throw new LabException("stopped");
            }
        };
        assertThatThrownBy(() -> index.build(directory, stop)).hasMessage("stopped");
        assertThat(index.state(directory).finished()).isFalse();
        assertThat(index.build(directory, IndexProgress.SILENT).startedAt()).isEqualTo(DOCUMENTS);
        assertThat(index.state(directory).finished()).isTrue();
    }

    @Test
    void wasInterruptedWithSomethingToKeep() throws IOException {
        Directory directory = new ByteBuffersDirectory();
        SearchIndex index = new SearchIndex(words, OPTIONS);
        assertThatThrownBy(() -> index.build(directory, stopAt(1_000))).hasMessageStartingWith("stopped at");
        assertThat(index.state(directory).next()).isEqualTo(700);
    }

    @Test
    void hasTheSameDocumentsByHoweverManyThreads() throws IOException {
        Directory directory = built(new SearchIndexOptions(DOCUMENTS, 42, 16, 3, 200));
        assertThat(statistics(directory)).isEqualTo(uninterrupted);
        check(directory);
    }

    @Test
    void leavesAFinishedIndexAsItIs() throws IOException {
        Directory directory = built(OPTIONS);
        String[] files = directory.listAll();
        IndexSummary summary =
                new SearchIndex(words, new SearchIndexOptions(DOCUMENTS, 42, 16, 2, 900)).build(directory, stopAt(0));
        assertThat(summary.startedAt()).isEqualTo(DOCUMENTS);
        assertThat(directory.listAll()).isEqualTo(files);
    }

    @Test
    void refusesAnotherIndexNamingBoth() throws IOException {
        Directory directory = built(OPTIONS);
        SearchIndex mine = new SearchIndex(words, OPTIONS);
        List<SearchIndex> others = List.of(
                new SearchIndex(words, new SearchIndexOptions(DOCUMENTS, 42, 0, 1, 350)),
                new SearchIndex(words, new SearchIndexOptions(DOCUMENTS, 43, 16, 1, 350)),
                new SearchIndex(words, new SearchIndexOptions(DOCUMENTS + 1, 42, 16, 1, 350)),
                new SearchIndex(SmallIndex.words(2), OPTIONS));
        for (SearchIndex other : others) {
            assertThatThrownBy(() -> other.build(directory, IndexProgress.SILENT))
                    .isInstanceOf(LabException.class)
                    .hasMessageContaining(mine.fingerprint())
                    .hasMessageContaining(other.fingerprint());
        }
    }

    @Test
    void refusesAnIndexOfSomebodyElse() throws IOException {
        Directory directory = new ByteBuffersDirectory();
        try (IndexWriter writer = new IndexWriter(directory, new IndexWriterConfig())) {
            writer.addDocument(new Document());
        }
        assertThatThrownBy(() -> new SearchIndex(words, OPTIONS).build(directory, IndexProgress.SILENT))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("not built by the lab");
    }

    @Test
    void updatesADocument() throws IOException {
        Directory directory = built(OPTIONS);
        SearchDocuments documents = new SearchIndex(words, OPTIONS).documents();
        try (IndexWriter writer = new IndexWriter(directory, SearchIndex.writerConfig(16))) {
            documents.update(writer, 77, 1);
            documents.update(writer, 77, 2);
            writer.commit();
        }
        try (IndexReader reader = DirectoryReader.open(directory)) {
            assertThat(reader.numDocs()).isEqualTo((int) DOCUMENTS);
            int document = Lookups.find(List.of(IndexFields.id(77)), reader)[0];
            assertThat(reader.storedFields().document(document).get(IndexFields.BODY))
                    .isEqualTo(documents.document(77, 2).get(IndexFields.BODY))
                    .isNotEqualTo(documents.document(77).get(IndexFields.BODY));
        }
    }

    @Test
    void loadsNothingThatWasNotCommitted() throws IOException {
        Directory directory = built(OPTIONS);
        try (IndexWriter writer = new IndexWriter(directory, SearchIndex.writerConfig(16))) {
            new SearchIndex(words, OPTIONS).documents().update(writer, 77, 1);
        }
        assertThat(statistics(directory)).isEqualTo(uninterrupted);
    }

    @Test
    void refusesDocumentsThatThereAreNot() {
        SearchDocuments documents = new SearchIndex(words, OPTIONS).documents();
        assertThat(documents.count()).isEqualTo(DOCUMENTS);
        assertThatThrownBy(() -> documents.document(DOCUMENTS)).hasMessageContaining("document 1250 of 1250");
        assertThatThrownBy(() -> documents.document(0, -1)).hasMessageContaining("revision -1");
    }
}
