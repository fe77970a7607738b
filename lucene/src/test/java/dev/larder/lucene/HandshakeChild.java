package dev.larder.lucene;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

/** Opens a new reader after every few documents, as near-real-time search does. */
public final class HandshakeChild {

    private static final int REOPENS = 60;
    private static final int DOCUMENTS = 20;

    private HandshakeChild() {}

    /** Arguments: {@code larder} or {@code mmap}, and a folder. */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[1]);
        try (Directory directory =
                        arguments[0].equals("larder") ? LarderDirectory.open(folder) : new MMapDirectory(folder);
                IndexWriter writer = TestIndex.writer(directory)) {
            TestIndex.writeAndCommit(writer, 0, DOCUMENTS);
            System.out.println("reopening");
            reopen(writer);
            System.out.println("reopened");
        }
    }

    private static void reopen(IndexWriter writer) throws IOException {
        DirectoryReader reader = DirectoryReader.open(writer);
        for (int round = 1; round <= REOPENS; round++) {
            for (int number = 0; number < DOCUMENTS; number++) {
                writer.addDocument(TestIndex.document(round * DOCUMENTS + number));
            }
            DirectoryReader newer = DirectoryReader.openIfChanged(reader);
            reader.close();
            reader = newer;
        }
        reader.close();
    }
}
