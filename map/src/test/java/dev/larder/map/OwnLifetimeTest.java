package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.ValueCodec;
import dev.larder.log.RecordWriter;
import dev.larder.log.layer.HookedOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lifetimes that entries get in each way of putting them, by a clock that the tests set. */
@Timeout(60)
final class OwnLifetimeTest {

    private static final Instant START = Instant.ofEpochMilli(1_800_000_000_000L);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration OF_MAP = Duration.ofHours(1);
    private static final RecordWriter SEVEN =
            (segment, at, length) -> ValueCodec.longs().write(7L, segment, at, length);

    @TempDir
    Path directory;

    private final StoppedClock clock = new StoppedClock(START.toEpochMilli());

    private LarderMap<Long, Long> open() {
        return open(Lifetime.endless());
    }

    private LarderMap<Long, Long> open(Lifetime lifetime) {
        MapOptions options = MapOptions.defaults()
                .withLog(HookedOptions.withStorage(TestMaps.options(), clock))
                .withLifetime(lifetime);
        return TestMaps.longs(directory, options);
    }

    private static void requireExpiry(LarderMap<Long, Long> map, long key, Instant expiry) {
        assertThat(map.get(key)).isEqualTo(7);
        assertThat(map.expiry(key)).contains(expiry);
    }

    @Test
    void aPutIfAbsentGivesOneOnlyToTheEntryThatItPuts() {
        try (LarderMap<Long, Long> map = open()) {
            assertThat(map.putIfAbsent(1L, 7L, SECOND)).isNull();
            assertThat(map.putIfAbsent(2L, 7L, START.plusSeconds(2))).isNull();
            requireExpiry(map, 1, START.plus(SECOND));
            requireExpiry(map, 2, START.plusSeconds(2));
            assertThat(map.putIfAbsent(1L, 8L, Duration.ofSeconds(9))).isEqualTo(7);
            assertThat(map.putIfAbsent(2L, 8L, START.plusSeconds(9))).isEqualTo(7);
            requireExpiry(map, 1, START.plus(SECOND));
            requireExpiry(map, 2, START.plusSeconds(2));
            clock.pass(1000);
            assertThat(map.putIfAbsent(1L, 7L, Duration.ofSeconds(3))).isNull();
            requireExpiry(map, 1, START.plusSeconds(4));
        }
    }

    @Test
    void aWrittenValueHasOne() {
        try (LarderMap<Long, Long> map = open(Lifetime.sinceWrite(OF_MAP))) {
            map.write(1L, Long.BYTES, SEVEN, SECOND);
            map.write(2L, Long.BYTES, SEVEN, START.plusSeconds(2));
            map.write(3L, Long.BYTES, SEVEN);
            requireExpiry(map, 1, START.plus(SECOND));
            requireExpiry(map, 2, START.plusSeconds(2));
            requireExpiry(map, 3, START.plus(OF_MAP));
            clock.pass(1000);
            assertThat(map.get(1L)).isNull();
            assertThatThrownBy(() -> map.write(1L, -1, SEVEN, SECOND)).hasMessageContaining("value of -1 bytes");
        }
    }

    /** The lifetime begins with the put: the flush may come much later. */
    @Test
    void anEntryOfALoaderHasOne() {
        try (LarderMap<Long, Long> map = open()) {
            try (MapLoader<Long, Long> loader = map.loader()) {
                loader.put(1L, 7L, SECOND);
                loader.put(2L, 7L, START.plusSeconds(2));
                loader.put(3L, 7L);
                clock.pass(500);
            }
            requireExpiry(map, 1, START.plus(SECOND));
            requireExpiry(map, 2, START.plusSeconds(2));
            assertThat(map.expiry(3L)).isEmpty();
            clock.pass(500);
            assertThat(map).containsOnly(Map.entry(2L, 7L), Map.entry(3L, 7L));
        }
    }

    /** As the class says of every change that names no lifetime. */
    @Test
    void endsWithAChangeThatNamesNone() {
        try (LarderMap<Long, Long> map = open(Lifetime.sinceWrite(OF_MAP))) {
            requireOfMap(map, key -> map.put(key, 7L));
            requireOfMap(map, key -> map.compute(key, (same, found) -> 7L));
            requireOfMap(map, key -> map.merge(key, 7L, (found, given) -> given));
            requireOfMap(map, key -> map.replace(key, 7L));
            requireOfMap(map, key -> map.entrySet().iterator().next().setValue(7L));
            requireOfMap(map, key -> map.write(key, Long.BYTES, SEVEN));
        }
    }

    private static void requireOfMap(LarderMap<Long, Long> map, Consumer<Long> change) {
        map.set(1L, 6L, SECOND);
        change.accept(1L);
        requireExpiry(map, 1, START.plus(OF_MAP));
    }

    /** Regression: a lifetime far below zero was an ArithmeticException. */
    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, Long.MIN_VALUE / 1000, -1, 0, 600_000_000, Long.MAX_VALUE})
    void isRefusedOutOfItsRange(long seconds) {
        Duration lifetime = Duration.ofSeconds(seconds);
        try (LarderMap<Long, Long> map = open()) {
            assertThatThrownBy(() -> map.set(1L, 7L, lifetime))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("lifetime of " + lifetime + " is not between 1 ms and ");
            assertThatThrownBy(() -> map.putIfAbsent(1L, 7L, lifetime)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> Lifetime.sinceUse(lifetime)).isInstanceOf(IllegalArgumentException.class);
            assertThat(map).isEmpty();
        }
    }
}
