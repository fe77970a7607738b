package dev.larder.lab.search.index;

import java.io.IOException;
import org.apache.lucene.index.SegmentInfos;
import org.apache.lucene.store.Directory;

/**
 * A finished index.
 *
 * @param documents in it
 * @param segments in it
 * @param bytes of the files of its last commit
 * @param startedAt the number of the first document of this build: 0, or where an earlier one was interrupted;
 *     {@code documents} if there was nothing to do
 */
public record IndexSummary(long documents, int segments, long bytes, long startedAt) {

    static IndexSummary of(Directory directory, long startedAt) throws IOException {
        SegmentInfos commit = SegmentInfos.readLatestCommit(directory);
        long bytes = 0;
        for (String file : commit.files(true)) {
            bytes += directory.fileLength(file);
        }
        return new IndexSummary(commit.totalMaxDoc(), commit.size(), bytes, startedAt);
    }
}
