package dev.larder.map;

import dev.larder.codec.ValueCodec;
import dev.larder.log.InterruptedWaitException;
import dev.larder.log.LogBusyException;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.layer.OptionDifferences;
import dev.larder.log.layer.Turns;
import dev.larder.log.layer.Turns.Turn;
import dev.larder.map.shared.MapFile;
import dev.larder.memory.Storage;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The maps that this JVM has open, one session per directory. A second opening with the same codecs and options shares the
 * session, and the last opening to close closes it.
 *
 * <p>A read-only opening has a session of its own, and is only noted here: a JVM has a map's log open with one set of options.
 *
 * <p>Opening and closing of one directory take turns. Different directories do not wait for each other.
 */
final class OpenSessions {

    private static final Map<String, Shared<?, ?>> OPEN = new ConcurrentHashMap<>();
    private static final Map<String, Readers> READERS = new ConcurrentHashMap<>();
    private static final Turns TURNS = new Turns();
    private static final long TURN_WAIT_SECONDS = 30;

    /** A session, the arguments that it was opened with, and the number of its users. */
    static final class Shared<K, V> {

        private final String identity;
        private final Path directory;
        private final Storage storage;
        private final ValueCodec<K> keys;
        private final ValueCodec<V> values;
        private final MapOptions options;
        private final MapSession<K, V> session;
        private int users = 1;

        private Shared(
                String identity,
                Path directory,
                ValueCodec<K> keys,
                ValueCodec<V> values,
                MapOptions options,
                MapSession<K, V> session) {
            this.identity = identity;
            this.directory = directory;
            this.storage = HookedOptions.of(options.log()).storage();
            this.keys = keys;
            this.values = values;
            this.options = options;
            this.session = session;
        }

        MapSession<K, V> session() {
            return session;
        }

        private void requireSame(ValueCodec<?> otherKeys, ValueCodec<?> otherValues, MapOptions asked) {
            MapFile.requireSame(
                    directory.resolve(MapFile.FILE_NAME),
                    MapTypes.of(keys, values),
                    MapTypes.of(otherKeys, otherValues));
            if (!areSame(keys, otherKeys) || !areSame(values, otherValues)) {
                throw new MapInUseException(directory + ": the map is open in this JVM with other codecs of the names "
                        + MapTypes.of(keys, values) + ": with " + classes(keys, values) + ", asked for with "
                        + classes(otherKeys, otherValues) + "; pass the same codecs, or codecs that are equal");
            }
            if (!options.equals(asked)) {
                throw inUse(directory, options, asked);
            }
            if (!storage.list(directory).contains(MapFile.FILE_NAME)) {
                throw new MapInUseException(directory
                        + ": the map is open in this JVM, and its files were removed; close it before a new"
                        + " one is made");
            }
        }
    }

    /** How many read-only openings a directory has, and the options of the first one. */
    private static final class Readers {

        private final MapOptions options;
        private int users;

        private Readers(MapOptions options) {
            this.options = options;
        }
    }

    private OpenSessions() {}

    private static MapInUseException inUse(Path directory, MapOptions open, MapOptions asked) {
        return new MapInUseException(
                directory + ": the map is open in this JVM with other options: " + OptionDifferences.of(open, asked));
    }

    /** Notes a read-only opening of a directory that is there, until the caller runs the returned action. */
    static Runnable enterReadOnly(Path directory, MapOptions options) {
        String identity = HookedOptions.of(options.log()).storage().identity(directory);
        try (Turn _ = await(identity, directory)) {
            Shared<?, ?> writing = OPEN.get(identity);
            if (writing != null) {
                throw inUse(directory, writing.options, options);
            }
            READERS.compute(identity, (key, there) -> enter(there, directory, options));
        }
        return () -> leaveReadOnly(identity);
    }

    private static Readers enter(@Nullable Readers there, Path directory, MapOptions options) {
        Readers readers = there == null ? new Readers(options) : there;
        if (!readers.options.log().equals(options.log())) {
            throw inUse(directory, readers.options, options);
        }
        readers.users++;
        return readers;
    }

    /** Takes no turn: whoever opens the map meanwhile finds the reader, or does not. */
    private static void leaveReadOnly(String identity) {
        READERS.computeIfPresent(identity, (key, readers) -> --readers.users == 0 ? null : readers);
    }

    /** Returns whether one codec can replace the other: codecs of different classes may be equal, and have different types. */
    private static boolean areSame(ValueCodec<?> codec, ValueCodec<?> other) {
        return codec.getClass().equals(other.getClass()) && codec.equals(other);
    }

    private static String classes(ValueCodec<?> keys, ValueCodec<?> values) {
        return keys.getClass().getName() + " and " + values.getClass().getName();
    }

    /** Opens a map, or shares the open session. */
    static <K, V> Shared<K, V> acquire(Path given, ValueCodec<K> keys, ValueCodec<V> values, MapOptions options) {
        Path directory = given.toAbsolutePath().normalize();
        Storage storage = HookedOptions.of(options.log()).storage();
        storage.createDirectories(directory, options.log().access().files());
        String identity = storage.identity(directory);
        try (Turn _ = await(identity, directory)) {
            Shared<?, ?> there = OPEN.get(identity);
            if (there == null) {
                requireNoReaders(identity, directory, options);
                return open(identity, directory, keys, values, options);
            }
            there.requireSame(keys, values, options);
            there.users++;
            @SuppressWarnings("unchecked") // equal codecs of one class have the same types
            Shared<K, V> shared = (Shared<K, V>) there;
            return shared;
        }
    }

    private static void requireNoReaders(String identity, Path directory, MapOptions options) {
        Readers readers = READERS.get(identity);
        if (readers != null) {
            throw inUse(directory, readers.options, options);
        }
    }

    private static <K, V> Shared<K, V> open(
            String identity, Path directory, ValueCodec<K> keys, ValueCodec<V> values, MapOptions options) {
        MapSession<K, V> session = WritingSession.open(directory, keys, values, options);
        Shared<K, V> shared = new Shared<>(identity, directory, keys, values, options, session);
        OPEN.put(identity, shared);
        return shared;
    }

    private static Turn await(String identity, Path directory) {
        try {
            return TURNS.take(identity, TURN_WAIT_SECONDS)
                    .orElseThrow(() -> new LogBusyException(
                            directory + ": another thread of this JVM has been opening or closing the map"
                                    + " for more than " + TURN_WAIT_SECONDS + " s"));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedWaitException("interrupted while another thread opens or closes " + directory, e);
        }
    }

    /**
     * Gives a session back. The last user closes it.
     *
     * @throws IllegalStateException if this thread is in the middle of a change or of a listener's call; then nothing has
     *     changed
     */
    static void release(Shared<?, ?> shared) {
        shared.session.requireClosable();
        try (Turn _ = TURNS.take(shared.identity)) {
            if (--shared.users == 0) {
                OPEN.remove(shared.identity, shared);
                shared.session.close();
            }
        }
    }
}
