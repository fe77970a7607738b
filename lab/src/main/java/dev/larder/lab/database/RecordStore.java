package dev.larder.lab.database;

import dev.larder.cli.Figures;
import dev.larder.lab.run.RecordScan;
import dev.larder.lab.run.Records;
import java.nio.file.Path;

/**
 * A store of records under test, implemented for Larder and its rivals.
 *
 * <p>One thread calls it, in the order create, then insert and commit by turns, finish, scan, index, query, close.
 */
public interface RecordStore {

    /**
     * Creates an empty store in a directory that exists and is empty. Not timed.
     *
     * @return its settings, {@code promise} first: the meaning of a commit, in words
     */
    Figures create(Path directory) throws Exception;

    /** Inserts the records from {@code first} on. */
    void insert(Records records, long first, long count) throws Exception;

    /** Commits the inserts; on return they are durable if the plan says so. */
    void commit() throws Exception;

    /** Makes everything durable and ready for queries. Timed as part of the insert. */
    void finish() throws Exception;

    /** Gives every record to {@code scan}, in the order of insertion. */
    void scan(RecordScan scan) throws Exception;

    /** Builds what {@link #query} needs and the store lacks; timed separately. */
    default void index(Records records, long count) throws Exception {}

    /** Reads the records with these numbers, one by one, and checks every byte. */
    void query(Records records, long[] ids) throws Exception;

    /**
     * Does mixed work, one operation after another, with its commits; checks every byte that it reads. Returns false if
     * the store cannot replace records.
     */
    default boolean mix(MixedWork work) throws Exception {
        return false;
    }

    /** Returns the bytes of the records on disk, including any index. */
    long bytesOnDisk() throws Exception;

    /** Closes the store; its files stay. */
    void close() throws Exception;
}
