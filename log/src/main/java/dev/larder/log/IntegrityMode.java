package dev.larder.log;

/**
 * What protects the payloads of a log, chosen when it is created. In every mode nothing that {@code sync} has
 * returned is lost by a power cut, and nothing torn is served; the modes differ in what the writer pays and in what
 * is kept beyond the last sync.
 */
public enum IntegrityMode {
    /** The word of a record alone is checked. After a power cut, exactly what {@code sync} returned is kept. */
    NONE,
    /** Each record carries the CRC32C of its payload, computed by the writer. */
    RECORD,
    /** Ranges of 1 MiB are sealed with a CRC32C when they are synced, off the writer's path. */
    SEAL
}
