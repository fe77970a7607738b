package dev.larder.lab.heap;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ValueStoreTest {

    private static final long KEYS = 3;
    private static final int PUTS = 300_000;

    @TempDir
    Path directory;

    static Stream<Named<ValueStore.Maker>> makers() {
        return Stream.of(
                Named.of("map", (keys, place) -> new MapStore(new ConcurrentHashMap<>())),
                Named.of("region", (keys, place) -> new RegionStore(keys)));
    }

    static Stream<Named<ValueStore.Maker>> allMakers() {
        return Stream.concat(makers(), Stream.of(Named.of("larder", (keys, place) -> new LarderValueStore(place))));
    }

    @ParameterizedTest
    @MethodSource("allMakers")
    void givesBackWhatWasPutLast(ValueStore.Maker maker) {
        ValueStore store = maker.make(KEYS, directory);
        byte[] bytes = new byte[Value.BYTES];
        byte[] read = new byte[HeapService.OBJECT_BYTES];
        assertThat(store.get(2, read)).isFalse();
        for (long version = 1; version < 4; version++) {
            for (long key = 0; key < KEYS; key++) {
                Value.write(bytes, key, version);
                store.put(key, bytes);
                assertThat(store.get(key, read)).isTrue();
                assertThat(read).startsWith(bytes);
            }
        }
        assertThat(store.get(0, read)).isTrue();
        assertThat(Value.isWhole(read, 0)).isTrue();
    }

    /** Two threads write and two read the same three values as fast as they can: each value that is read was put. */
    @ParameterizedTest
    @MethodSource("makers")
    void neverGivesBackHalfOfOneAndHalfOfAnother(ValueStore.Maker maker) throws Exception {
        ValueStore store = maker.make(KEYS, directory);
        write(store, KEYS, 0);
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Callable<Long>> work = List.of(
                    () -> write(store, PUTS, 1), () -> write(store, PUTS, 2), () -> torn(store), () -> torn(store));
            for (Future<Long> done : threads.invokeAll(work)) {
                assertThat(done.get()).isZero();
            }
        }
    }

    private static long write(ValueStore store, long puts, long seed) {
        byte[] bytes = new byte[Value.BYTES];
        for (long put = 0; put < puts; put++) {
            Value.write(bytes, put % KEYS, put << 2 | seed);
            store.put(put % KEYS, bytes);
        }
        return 0;
    }

    private static long torn(ValueStore store) {
        byte[] read = new byte[Value.BYTES];
        long torn = 0;
        for (long get = 0; get < PUTS; get++) {
            if (!store.get(get % KEYS, read) || !Value.isWhole(read, get % KEYS)) {
                torn++;
            }
        }
        return torn;
    }
}
