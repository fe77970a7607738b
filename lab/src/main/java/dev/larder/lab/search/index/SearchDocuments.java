package dev.larder.lab.search.index;

import dev.larder.lab.text.NumberedRandom;
import dev.larder.lab.text.Resampler;
import dev.larder.lab.text.TextDocument;
import java.io.IOException;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.FieldType;
import org.apache.lucene.document.KnnByteVectorField;
import org.apache.lucene.document.LongPoint;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.IndexOptions;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.VectorSimilarityFunction;
import org.apache.lucene.util.BytesRef;

/**
 * The documents of an index by number, and their updates; the same each time. Any number of threads may use it at
 * once.
 */
public final class SearchDocuments {

    private static final FieldType BODY_TYPE = bodyType();
    private static final long VALUE_SEED = 1;
    private static final long GROUP_SEED = 2;

    private final Resampler texts;
    private final long documents;
    private final int vectorDimensions;

    SearchDocuments(Resampler texts, long documents, int vectorDimensions) {
        this.texts = texts;
        this.documents = documents;
        this.vectorDimensions = vectorDimensions;
    }

    private static FieldType bodyType() {
        FieldType type = new FieldType();
        type.setStored(true);
        type.setTokenized(true);
        type.setIndexOptions(IndexOptions.DOCS_AND_FREQS_AND_POSITIONS_AND_OFFSETS);
        type.setStoreTermVectors(true);
        type.setStoreTermVectorPositions(true);
        type.setStoreTermVectorOffsets(true);
        type.freeze();
        return type;
    }

    /** Returns how many there are, numbered from 0. */
    public long count() {
        return documents;
    }

    /** Makes a document as in the built index. */
    public Document document(long number) {
        return document(number, 0);
    }

    /**
     * Makes a document after one of its updates: the same key, another text of the same corpus.
     *
     * @param number of the document, from 0, below {@link #count}
     * @param revision 0 for the first text, up to 1,000,000,000
     */
    public Document document(long number, long revision) {
        if (number < 0 || number >= documents || revision < 0 || revision > 1_000_000_000) {
            throw new IllegalArgumentException("document " + number + " of " + documents + ", revision " + revision
                    + " of at most 1000000000: there is none");
        }
        long textNumber = revision * documents + number;
        TextDocument text = texts.document(textNumber);
        Document document = new Document();
        document.add(new StringField(IndexFields.ID, IndexFields.id(number), Field.Store.YES));
        document.add(new StoredField(IndexFields.TITLE, text.title()));
        document.add(new Field(IndexFields.BODY, text.body(), BODY_TYPE));
        addValues(document, textNumber);
        addVector(document, text.body());
        return document;
    }

    private static void addValues(Document document, long textNumber) {
        long value = new NumberedRandom(VALUE_SEED, textNumber).below(IndexFields.VALUES);
        document.add(new LongPoint(IndexFields.VALUE, value));
        document.add(new NumericDocValuesField(IndexFields.VALUE, value));
        document.add(new SortedDocValuesField(IndexFields.GROUP, new BytesRef(group(textNumber))));
    }

    /** By Zipf's law: the first group has a tenth of all. */
    private static String group(long textNumber) {
        double fraction = new NumberedRandom(GROUP_SEED, textNumber).fraction();
        int group = (int) StrictMath.exp(fraction * StrictMath.log(IndexFields.GROUPS)) - 1;
        String digits = Integer.toString(group);
        return "g" + "0".repeat(5 - digits.length()) + digits;
    }

    private void addVector(Document document, String body) {
        if (vectorDimensions > 0) {
            byte[] vector = WordVector.of(body, vectorDimensions);
            document.add(new KnnByteVectorField(IndexFields.VECTOR, vector, VectorSimilarityFunction.DOT_PRODUCT));
        }
    }

    /** Replaces a document by one of its updates. */
    public void update(IndexWriter writer, long number, long revision) throws IOException {
        writer.updateDocument(IndexFields.idTerm(number), document(number, revision));
    }
}
