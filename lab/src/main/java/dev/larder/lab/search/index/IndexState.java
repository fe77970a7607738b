package dev.larder.lab.search.index;

import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.util.Map;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;

/**
 * The progress of an index in its last commit.
 *
 * <pre>
 * larder.index      its definition: words, seed, documents, fields, segments
 * larder.next       the number of the next document
 * larder.finished   true when nothing is left to do
 * </pre>
 *
 * @param fingerprint of the index's definition; empty if there is none yet
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
     * @throws LabException if there is an index not built by the lab
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

    /** Returns whether there is no index. */
    public boolean isEmpty() {
        return fingerprint.isEmpty();
    }

    /** Returns a commit's data of this state. */
    Map<String, String> data() {
        return Map.of(INDEX, fingerprint, NEXT, Long.toString(next), FINISHED, Boolean.toString(finished));
    }
}
