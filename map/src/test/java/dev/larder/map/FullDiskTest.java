package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.DiskFullException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A map that has filled its disk with live entries: it can be emptied, and works again then. */
@Timeout(300)
final class FullDiskTest {

    private static final long MIB = 1L << 20;
    private static final long CAPACITY_BYTES = 60 * MIB;

    @TempDir
    Path folder;

    private Path directory;
    private SmallStorage storage;
    private MapOptions options;

    @BeforeEach
    void make() throws IOException {
        directory = Files.createDirectory(folder.resolve("map"));
        storage = new SmallStorage(TestMaps.storage(), directory, CAPACITY_BYTES);
        options = MapOptions.defaults()
                .withLog(HookedOptions.withStorage(LogOptions.defaults(), storage)
                        .withSync(SyncPolicy.none()))
                .withSharing(Sharing.defaults().withFolder(Files.createDirectory(folder.resolve("index"))));
    }

    private LarderMap<Long, byte[]> open(MapOptions as) {
        return LarderMap.open(directory, ValueCodec.longs(), ValueCodec.bytes(), as);
    }

    /** Puts until there is no room, also at repeated attempts; returns how many entries there are. */
    private static long fill(LarderMap<Long, byte[]> map, int valueBytes) {
        long key = 0;
        int refused = 0;
        while (refused < 20) {
            try {
                map.set(key, new byte[valueBytes]);
                key++;
            } catch (DiskFullException e) {
                refused++;
            }
        }
        assertThat(map.longSize()).isEqualTo(key);
        return key;
    }

    private static List<Long> shuffled(long keys) {
        List<Long> all = new ArrayList<>();
        for (long key = 0; key < keys; key++) {
            all.add(key);
        }
        Collections.shuffle(all, new Random(5));
        return all;
    }

    private static void requireRoom(LarderMap<Long, byte[]> map, int valueBytes) {
        map.set(-1L, new byte[valueBytes]);
        assertThat(map.get(-1L)).hasSize(valueBytes);
    }

    @ParameterizedTest(name = "values of {0} bytes, at most {1} MiB")
    @CsvSource({"10000, 0", "10000, 50", "200, 0", "200, 50"})
    void isEmptiedInAnyOrder(int valueBytes, long maxMegabytes) {
        MapOptions as = maxMegabytes == 0
                ? options
                : options.withCleaning(Cleaning.defaults().withMaxBytes(maxMegabytes * MIB));
        try (LarderMap<Long, byte[]> map = open(as)) {
            long keys = fill(map, valueBytes);
            for (long key : shuffled(keys)) {
                assertThat(map.remove(key)).isNotNull();
            }
            assertThat(map).isEmpty();
            requireRoom(map, valueBytes);
        }
    }

    @Test
    void isClearedAfterItWasCompactedAndOpenedAgain() {
        long keys;
        try (LarderMap<Long, byte[]> map = open(options)) {
            keys = fill(map, 10_000);
            map.compact();
        }
        storage.leave(8 * MIB);
        try (LarderMap<Long, byte[]> map = open(options)) {
            assertThat(map.longSize()).isEqualTo(keys);
            assertThatThrownBy(() -> map.set(keys, new byte[10_000])).isInstanceOf(DiskFullException.class);
            map.clear();
            assertThat(map).isEmpty();
            requireRoom(map, 10_000);
        }
    }

    /** Another program has taken the rest of the disk. The segment that is being filled has room for some removals, and so on. */
    @Test
    void isClearedWhereHardlyAnythingIsLeft() {
        try (LarderMap<Long, byte[]> map = open(options)) {
            fill(map, 10_000);
            storage.leave(3 * MIB);
            map.clear();
            assertThat(map).isEmpty();
            requireRoom(map, 10_000);
        }
    }

    /** Removals from a full map make room, however little they free. Puts continue before all entries are gone. */
    @Test
    void takesPutsAgainWhenSomeOfItWasRemoved() {
        try (LarderMap<Long, byte[]> map = open(options)) {
            long keys = fill(map, 1000);
            List<Long> order = shuffled(keys);
            for (long key : order.subList(0, (int) keys / 2)) {
                assertThat(map.remove(key)).isNotNull();
            }
            for (long key : order.subList(0, (int) keys / 10)) {
                map.set(key, new byte[1000]);
            }
            assertThat(map.longSize()).isEqualTo(keys - keys / 2 + keys / 10);
        }
    }
}
