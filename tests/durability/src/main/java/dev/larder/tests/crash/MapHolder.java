package dev.larder.tests.crash;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.map.LarderMap;
import dev.larder.map.MapOptions;
import dev.larder.memory.Storage;
import dev.larder.memory.SystemStorage;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Opens a temporary map beside a given directory, and prints where it lies. A line on standard input makes it print the number
 * of entries and close the map. Arguments as of {@link MapWriter}.
 */
public final class MapHolder {

    private static final int ENTRIES = 1000;

    private MapHolder() {}

    /** Runs until its parent ends it. */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]).resolveSibling("");
        Storage storage = arguments[3].equals("system") ? SystemStorage.system() : SystemStorage.portable();
        MapOptions options = MapOptions.defaults().withLog(HookedOptions.withStorage(LogOptions.defaults(), storage));
        try (LarderMap<Long, Long> map = LarderMap.temporary(folder, ValueCodec.longs(), ValueCodec.longs(), options)) {
            for (long key = 0; key < ENTRIES; key++) {
                map.put(key, key);
            }
            System.out.println(map.info().log().directory());
            while (System.in.read() != '\n') {
                Thread.onSpinWait();
            }
            System.out.println(map.size());
        }
    }
}
