package dev.larder.map;

import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.log.ValueCodec;
import dev.larder.memory.Storage;
import dev.larder.memory.doubles.StrictStorage;
import java.nio.file.Path;

/** Maps on the storage that this pass of the tests runs on, which the property {@code larder.test.storage} names. */
final class TestMaps {

    private static final Storage STORAGE = choose();

    private TestMaps() {}

    private static Storage choose() {
        return switch (System.getProperty("larder.test.storage", "system")) {
            case "portable-strict" -> new StrictStorage();
            case "system" -> Storage.system();
            default -> throw new IllegalStateException("larder.test.storage is neither system nor portable-strict");
        };
    }

    static Storage storage() {
        return STORAGE;
    }

    /** Small segments, nothing in the background but what a test asks for. */
    static LogOptions options() {
        return LogOptions.defaults()
                .withStorage(STORAGE)
                .withLargestSegmentBytes(2L << 20)
                .withPrepareBytes(0)
                .withSync(SyncPolicy.none());
    }

    static LarderMap<String, String> texts(Path directory) {
        return LarderMap.open(directory, ValueCodec.texts(), ValueCodec.texts(), options());
    }

    static LarderMap<Long, Long> longs(Path directory) {
        return LarderMap.open(directory, ValueCodec.longs(), ValueCodec.longs(), options());
    }

    static LarderMap<Long, Long> longs(Path directory, MapOptions options) {
        return LarderMap.open(directory, ValueCodec.longs(), ValueCodec.longs(), options);
    }

    static LarderMap<Long, byte[]> bytes(Path directory) {
        return LarderMap.open(directory, ValueCodec.longs(), ValueCodec.bytes(), options());
    }
}
