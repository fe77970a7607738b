package dev.larder.codec.schema;

import dev.larder.codec.CodecFolder;
import dev.larder.codec.Schema;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;

/**
 * The schemas of a queue, by their numbers from 1 on. A schema is never changed or removed, even if the messages that were
 * written by it are dropped.
 *
 * <p>A typed message begins with four bytes that name its schema: {@code | fd | number 3 |}. No text does, since no byte
 * of UTF-8 is {@code fd}.
 */
public final class Schemas {

    /** The length of the mark in a message that names its schema, in bytes. */
    public static final int MARK_BYTES = Integer.BYTES;

    /** The largest number. */
    public static final int NUMBER_MAX = (1 << 24) - 1;

    private static final int MARK = 0xfd;

    /**
     * Lets one thread of the process add schemas at a time: without native calls locks belong to the process, not to a thread.
     */
    private static final Object ADDING = new Object();

    private final Path directory;
    private final CodecFolder folder;
    private final Storage storage;
    private final Map<Integer, Schema> known = new ConcurrentHashMap<>();

    /** The numbers that {@link #numberOf} has returned and made durable. They never change. */
    private final Map<Schema, Integer> numbers = new ConcurrentHashMap<>();

    public Schemas(CodecFolder folder) {
        this.folder = folder;
        this.directory = folder.directory();
        this.storage = folder.storage();
    }

    /** Returns whether a schema may have a number. */
    public static boolean isNumber(long number) {
        return number >= 1 && number <= NUMBER_MAX;
    }

    /** Returns the mark at the start of a message. */
    public static int mark(int number) {
        return (number << 8) | MARK;
    }

    /** Returns the number of a message's schema; -1 if the message begins otherwise. */
    public static int number(int mark) {
        return (mark & 0xff) == MARK ? mark >>> 8 : -1;
    }

    public Path directory() {
        return directory;
    }

    public Storage storage() {
        return storage;
    }

    public String origin(int number) {
        return "schema " + number + " of " + directory;
    }

    /** Returns the schema of a number; empty if there is none. */
    public Optional<Schema> get(int number) {
        Schema schema = known.get(number);
        if (schema == null) {
            Optional<Schema> read = SchemaFile.read(directory, number, storage);
            read.ifPresent(found -> known.put(number, found));
            return read;
        }
        return Optional.of(schema);
    }

    /** Returns all schemas by their numbers. */
    public Map<Integer, Schema> all() {
        Map<Integer, Schema> all = new TreeMap<>();
        for (String name : storage.list(directory)) {
            int number = SchemaFile.numberOf(name);
            if (isNumber(number)) {
                get(number).ifPresent(schema -> all.put(number, schema));
            }
        }
        return all;
    }

    /**
     * Returns the number of a schema, and stores the schema if the queue does not have it yet. It is durable when this returns.
     * Returns 0, which no schema has, if the schema is missing and must not be stored.
     */
    public int numberOf(Schema schema) {
        Integer durable = numbers.get(schema);
        return durable == null ? findNumber(schema) : durable;
    }

    private synchronized int findNumber(Schema schema) {
        if (!folder.writable()) {
            return all().entrySet().stream()
                    .filter(entry -> entry.getValue().equals(schema))
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .orElse(0);
        }
        int number = storedNumber(schema);
        numbers.put(schema, number);
        return number;
    }

    private int storedNumber(Schema schema) {
        while (true) {
            Map<Integer, Schema> all = all();
            for (Map.Entry<Integer, Schema> entry : all.entrySet()) {
                if (entry.getValue().equals(schema)) {
                    syncNames(); // the process that linked it may not have synced yet
                    return entry.getKey();
                }
            }
            int next = all.keySet().stream().reduce(0, Math::max) + 1;
            if (add(next, schema)) {
                return next;
            }
        }
    }

    /**
     * Stores a schema under a number; false if another schema has that number. The next new schema gets the number after the
     * largest, so a large number takes those below it away.
     */
    public boolean add(int number, Schema schema) {
        if (number < 1) {
            throw new IllegalArgumentException(directory + ": a schema cannot have number " + number);
        }
        if (number > NUMBER_MAX) {
            throw new IllegalStateException(directory + ": no number is left for a schema, the last is " + NUMBER_MAX);
        }
        synchronized (ADDING) {
            removeAbandoned();
            Optional<Boolean> linked = Optional.empty();
            while (linked.isEmpty()) {
                linked = tryAdd(number, schema);
            }
            syncNames();
            return linked.get();
        }
    }

    /** Makes the names of all schemas durable. */
    public void syncNames() {
        storage.syncDirectory(directory);
    }

    /** Makes the file and links it. Empty if another process took the file for abandoned before it was locked. */
    private Optional<Boolean> tryAdd(int number, Schema schema) {
        Path made = directory.resolve(SchemaFile.PRIVATE_PREFIX
                + Long.toHexString(RandomGenerator.getDefault().nextLong())
                + SchemaFile.PRIVATE_SUFFIX);
        Optional<StorageFile> file = SchemaFile.write(made, number, schema, storage, folder.files());
        try {
            return file.map(open -> storage.link(made, directory.resolve(SchemaFile.name(number))));
        } catch (StorageException e) {
            if (storage.list(directory).contains(String.valueOf(made.getFileName()))) {
                throw e;
            }
            return Optional.empty();
        } finally {
            file.ifPresent(StorageFile::close);
            discard(made);
        }
    }

    /** Removes files that killed processes have left. A file that is still being written is locked. */
    private void removeAbandoned() {
        for (String name : storage.list(directory)) {
            if (name.startsWith(SchemaFile.PRIVATE_PREFIX) && name.endsWith(SchemaFile.PRIVATE_SUFFIX)) {
                Path path = directory.resolve(name);
                storage.open(path, true).ifPresent(file -> {
                    boolean abandoned = file.tryLock(SchemaFile.LOCK);
                    file.close();
                    if (abandoned) {
                        discard(path); // a writer that had not locked its file yet makes another
                    }
                });
            }
        }
    }

    private void discard(Path path) {
        try {
            storage.delete(path);
        } catch (StorageException e) {
            // another process has it open to check it; the next process to check removes it
        }
    }
}
