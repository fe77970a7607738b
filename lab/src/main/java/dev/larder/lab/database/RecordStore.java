package dev.larder.lab.database;

import dev.larder.cli.Figures;
import dev.larder.lab.run.RecordScan;
import dev.larder.lab.run.Records;
import java.nio.file.Path;

/**
 * A store of records under test. Larder and its rivals stand behind it.
 *
 * <p>One thread calls it, in the order create, then insert and commit by turns, finish, scan, index, query, close.
 */
public interface RecordStore {

    /**
     * Creates an empty store in a directory that exists and is empty. Not timed.
     *
     * @return the settings that it runs with, {@code promise} first: what a commit means, in words
     */
    Figures create(Path directory) throws Exception;

    /** Inserts the records from {@code first} on. */
    void insert(Records records, long first, long count) throws Exception;

    /** Commits what was inserted; durable when it returns if that was asked for. */
    void commit() throws Exception;

    /** Makes everything durable and ready to be queried. Timed as a part of the insert. */
    void finish() throws Exception;

    /** Gives every record to {@code scan}, in the order of insertion. */
    void scan(RecordScan scan) throws Exception;

    /** Makes what {@link #query} needs and the store does not keep; timed on its own. */
    default void index(Records records, long count) throws Exception {}

    /** Reads the records of these numbers, one by one, and checks every byte. */
    void query(Records records, long[] ids) throws Exception;

    /**
     * Does mixed work, one operation after another, and commits where it says; checks every byte that it reads. Returns
     * false where nothing can be replaced.
     */
    default boolean mix(MixedWork work) throws Exception {
        return false;
    }

    /** Returns the bytes that the records take on the disk, with their index if there is one. */
    long bytesOnDisk() throws Exception;

    /** Closes the store; its files stay. */
    void close() throws Exception;
}
