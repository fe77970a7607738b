package dev.larder.lucene;

import java.io.IOException;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;

/** Writes documents until it is killed; prints the number of documents each time a commit has returned. */
public final class IndexingChild {

    private IndexingChild() {}

    /** Arguments: the folder, and how many documents it has. */
    public static void main(String[] arguments) throws IOException {
        int documents = Integer.parseInt(arguments[1]);
        SplittableRandom random = new SplittableRandom(documents);
        try (Directory directory = LarderDirectory.open(Path.of(arguments[0]));
                IndexWriter writer = TestIndex.writer(directory)) {
            do {
                int to = documents + random.nextInt(1, 200);
                TestIndex.writeAndCommit(writer, documents, to);
                documents = to;
                System.out.println(documents);
                DirectoryReader.open(writer).close();
            } while (!System.out.checkError()); // its reader has ended
        }
    }
}
