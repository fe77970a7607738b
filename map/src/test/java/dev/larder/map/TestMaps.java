package dev.larder.map;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.Storage;
import dev.larder.memory.SystemStorage;
import dev.larder.memory.doubles.StrictStorage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Maps on the storage of this pass of the tests, which the property {@code larder.test.storage} names. */
public final class TestMaps {

    private static final Storage STORAGE = choose();

    /** The types of {@link #longs}. */
    static final MapTypes LONGS = new MapTypes("long", "long");

    private TestMaps() {}

    private static Storage choose() {
        return switch (System.getProperty("larder.test.storage", "system")) {
            case "portable-strict" -> new StrictStorage();
            case "system" -> SystemStorage.system();
            default -> throw new IllegalStateException("larder.test.storage is neither system nor portable-strict");
        };
    }

    public static Storage storage() {
        return STORAGE;
    }

    /** Returns options with small segments, and no background work unless a test asks for it. */
    public static LogOptions options() {
        return HookedOptions.withStorage(LogOptions.defaults(), STORAGE)
                .withLargestSegmentBytes(2L << 20)
                .withPrepareBytes(0)
                .withSync(SyncPolicy.none());
    }

    static LarderMap<String, String> texts(Path directory) {
        return LarderMap.open(directory, ValueCodec.texts(), ValueCodec.texts(), options());
    }

    public static LarderMap<Long, Long> longs(Path directory) {
        return LarderMap.open(directory, ValueCodec.longs(), ValueCodec.longs(), options());
    }

    public static LarderMap<Long, Long> longs(Path directory, MapOptions options) {
        return LarderMap.open(directory, ValueCodec.longs(), ValueCodec.longs(), options);
    }

    static LarderMap<Long, byte[]> bytes(Path directory) {
        return LarderMap.open(directory, ValueCodec.longs(), ValueCodec.bytes(), options());
    }

    /**
     * Copies a map as a process leaves it that ends without closing it, also while the map is open. The copy lacks files that are
     * being made or wait to be deleted, since their names may be gone at any time.
     */
    public static Path copy(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file :
                    files.filter(path -> !path.toString().endsWith(".tmp")).toList()) {
                Files.copy(file, to.resolve(file.getFileName()));
            }
        }
        return to;
    }
}
