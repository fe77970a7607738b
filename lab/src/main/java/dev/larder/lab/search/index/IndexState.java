package dev.larder.lab.search.index;

import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.util.Map;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;

/**
 * How far an index is, as its last commit says.
 *
 * <pre>
 * larder.index      what it is to be: words, seed, documents, fields, segments
 * larder.next       the number of the document that comes next
 * larder.finished   true when nothing is left to do
 * </pre>
 *
 * @param fingerprint of what the index is to be; empty where there is none yet
 * @param next number of a document that is not in it
 * @param finished whether nothing is left to do
 */
public record IndexState(String fingerprint, long next, boolean finished) {

    private static final String INDEX = "larder.index";
    private static final String NEXT = "larder.next";
    private static final String FINISHED = "larder.finished";

    /**
     * Reads the state of the index in a directory.
     *
     * @throws LabException if there is an index that nobody built here
     */
    public static IndexState read(Directory directory) throws IOException {
        if (!DirectoryReader.indexExists(directory)) {
            return new IndexState("", 0, false);
        }
        return of(SegmentInfos.readLatestCommit(directory).getUserData());
    }

    private static IndexState of(Map<String, String> data) {
        String fingerprint = data.get(INDEX);
        String next = data.get(NEXT);
        if (fingerprint == null || next == null) {
            throw new LabException("the index here was not built by the lab: its commit has no " + INDEX + " and "
                    + NEXT + ", but " + data.keySet());
        }
        return new IndexState(fingerprint, Long.parseLong(next), Boolean.parseBoolean(data.get(FINISHED)));
    }

    /** Tells whether there is an index at all. */
    public boolean isEmpty() {
        return fingerprint.isEmpty();
    }

    /** What a commit of this state carries. */
    Map<String, String> data() {
        return Map.of(INDEX, fingerprint, NEXT, Long.toString(next), FINISHED, Boolean.toString(finished));
    }
}
