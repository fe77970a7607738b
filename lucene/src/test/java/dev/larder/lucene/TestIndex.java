package dev.larder.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.KnnFloatVectorField;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.CheckIndex;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.index.Term;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.FSDirectory;

/** An index of numbered documents with every kind of file, and the checks that it must pass. */
final class TestIndex {

    private static final int WORDS = 40;
    private static final int DIMENSIONS = 8;

    private TestIndex() {}

    static IndexWriter writer(Directory directory) throws IOException {
        IndexWriterConfig config = new IndexWriterConfig();
        config.setRAMBufferSizeMB(1);
        config.setCommitOnClose(false);
        return new IndexWriter(directory, config);
    }

    static Document document(int number) {
        SplittableRandom random = new SplittableRandom(number);
        Document document = new Document();
        document.add(new StringField("id", Integer.toString(number), Field.Store.YES));
        StringBuilder text = new StringBuilder();
        for (int word = 0; word < WORDS; word++) {
            text.append('w').append(random.nextInt(1, 2 + random.nextInt(2000))).append(' ');
        }
        document.add(new TextField("body", text.toString(), Field.Store.NO));
        document.add(new StoredField("stored", text.toString()));
        document.add(new NumericDocValuesField("number", number));
        float[] vector = new float[DIMENSIONS];
        for (int i = 0; i < DIMENSIONS; i++) {
            vector[i] = (float) random.nextDouble();
        }
        document.add(new KnnFloatVectorField("vector", vector));
        return document;
    }

    /** Writes documents from one number up to, but not including, another, each as an update. Commits with the second number. */
    static void writeAndCommit(IndexWriter writer, int from, int to) throws IOException {
        for (int number = from; number < to; number++) {
            writer.updateDocument(new Term("id", Integer.toString(number)), document(number));
        }
        writer.setLiveCommitData(Map.of("documents", Integer.toString(to)).entrySet());
        writer.commit();
    }

    /** Checks with plain Lucene that the last commit is whole, and returns how many documents it has. */
    static int check(Path folder) throws IOException {
        try (Directory directory = FSDirectory.open(folder)) {
            return DirectoryReader.indexExists(directory) ? check(directory) : 0;
        }
    }

    /**
     * Removes older commits, as the next writer would. A loss of power may have left a part of a commit whose deletion was under
     * way, as with any directory of Lucene.
     */
    static void forgetOlderCommits(Path folder) throws IOException {
        try (Directory directory = FSDirectory.open(folder)) {
            String[] names = directory.listAll();
            String last = SegmentInfos.getLastCommitSegmentsFileName(names);
            for (String name : names) {
                if (name.startsWith("segments_") && !name.equals(last)) {
                    directory.deleteFile(name);
                }
            }
        }
    }

    /** Checks that the last commit is whole, and returns how many documents it has. */
    static int check(Directory directory) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try (CheckIndex check = new CheckIndex(directory)) {
            check.setInfoStream(new PrintStream(text, false, StandardCharsets.UTF_8), false);
            assertThat(check.checkIndex().clean)
                    .as("%s", text.toString(StandardCharsets.UTF_8))
                    .isTrue();
        }
        return count(directory);
    }

    /** Checks, also beside a writer, that the last commit has its documents; returns how many. */
    static int count(Directory directory) throws IOException {
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
            int documents =
                    Integer.parseInt(reader.getIndexCommit().getUserData().get("documents"));
            assertThat(reader.numDocs()).isEqualTo(documents);
            for (int number = 0; number < documents; number++) {
                assertThat(reader.docFreq(new Term("id", Integer.toString(number))))
                        .as("document %s", number)
                        .isPositive();
            }
            return documents;
        }
    }
}
