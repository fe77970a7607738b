package dev.larder.log;

/**
 * The protection of a log's payloads, chosen when the log is created. In every mode, a power cut loses nothing that
 * {@code sync} covered, and no torn record is served. The modes differ in the writer's cost, and in what is kept beyond
 * the last sync.
 */
public enum IntegrityMode {
    /**
     * Only the word of a record is checked. After a power cut, exactly the records are kept that {@code sync} covered.
     */
    NONE,
    /** Each record carries the CRC-32C of its payload, which the writer computes. */
    RECORD,
    /** Ranges of 1 MiB are sealed with a CRC-32C when they are synced, off the writer's path. */
    SEAL
}
