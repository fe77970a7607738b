package dev.larder.examples;

import dev.larder.lucene.LarderDirectory;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.search.TermQuery;

/** Documents can be found as soon as a reader is reopened, before they are committed to the folder. */
public final class NearRealTimeSearch {

    private NearRealTimeSearch() {}

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        try (LarderDirectory index = LarderDirectory.open(folder);
                IndexWriter writer = new IndexWriter(index, new IndexWriterConfig());
                SearcherManager searchers = new SearcherManager(writer, new SearcherFactory())) {
            add(writer, "flour and sugar");
            expect(0, searchers); // not reopened yet
            searchers.maybeRefreshBlocking();
            expect(1, searchers); // from memory: nothing was committed
            writer.commit(); // now it survives the death of the machine
            add(writer, "flour and salt");
            searchers.maybeRefreshBlocking();
            expect(2, searchers);
        } // closing the writer commits
        try (LarderDirectory index = LarderDirectory.open(folder);
                SearcherManager searchers = new SearcherManager(index, new SearcherFactory())) {
            expect(2, searchers);
        }
        System.out.println("found both documents");
    }

    private static void add(IndexWriter writer, String text) throws IOException {
        Document document = new Document();
        document.add(new TextField("body", text, Field.Store.NO));
        writer.addDocument(document);
    }

    private static void expect(int hits, SearcherManager searchers) throws IOException {
        IndexSearcher searcher = searchers.acquire();
        try {
            int found = searcher.count(new TermQuery(new Term("body", "flour")));
            if (found != hits) {
                throw new IllegalStateException("found " + found + " documents, expected " + hits);
            }
        } finally {
            searchers.release(searcher); // its memory comes back once no reader needs it
        }
    }
}
