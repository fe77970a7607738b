package dev.larder.memory.doubles;

/** The calls of a storage and its files that {@link FaultyStorage} counts, and can let fail. */
public enum StorageCall {
    CREATE_DIRECTORIES,
    CREATE,
    OPEN,
    LINK,
    RENAME,
    DELETE,
    LIST,
    SYNC_DIRECTORY,
    POPULATE_FOR_WRITE,
    POPULATE_FOR_READ,
    ALLOCATE,
    MAP,
    WRITE,
    FORCE,
    FORCE_ALL,
    START_WRITEBACK,
    TRY_LOCK
}
