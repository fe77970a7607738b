package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.ValueCodec;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The time of a call or of the cleaning thread. It comes from the options, is read once, and is kept to the millisecond. */
final class MapTimeTest {

    private static final Instant START = Instant.ofEpochMilli(1_800_000_000_000L);
    private static final Duration FAR = Duration.ofDays(7000);

    @TempDir
    Path directory;

    private final AtomicLong readings = new AtomicLong();
    private final AtomicLong cleanersMillis = new AtomicLong(START.toEpochMilli());

    /** Advances by a millisecond with each reading, so a caller that reads it twice gets two times. */
    private final InstantSource ticking = () -> START.plusMillis(readings.getAndIncrement());

    private LarderMap<String, String> open(MapTime time) {
        return LarderMap.open(directory, ValueCodec.texts(), ValueCodec.texts(), options(time));
    }

    private static MapOptions options(MapTime time) {
        return MapOptions.defaults()
                .withLog(TestMaps.options())
                .withCleaning(Cleaning.defaults().withBackground(false))
                .withTime(time);
    }

    @Test
    void keepsAnInstantToTheMillisecond() {
        Instant expiry = START.plusSeconds(1000).plusNanos(999_999);
        Instant kept = START.plusSeconds(1000);
        try (LarderMap<String, String> map = open(MapTime.of(ticking))) {
            map.set("set", "1", expiry);
            assertThat(map.put("put", "1", expiry)).isNull();
            assertThat(map.put("put", "2", expiry)).isEqualTo("1");
            try (MapLoader<String, String> loader = map.loader()) {
                loader.put("loaded", "1", expiry);
                loader.put("large", "x".repeat(400_000), expiry);
                loader.put("for ever", "1");
            }
            for (String key : new String[] {"set", "put", "loaded", "large"}) {
                assertThat(map.expiry(key)).as(key).hasValue(kept);
            }
            assertThat(map.expiry("for ever")).isEmpty();
        }
    }

    @Test
    void countsALifetimeFromTheTimeOfTheCall() {
        try (LarderMap<String, String> map = open(MapTime.of(ticking))) {
            map.put("key", "1", START.plusSeconds(9));
            long before = readings.get();
            assertThat(map.put("key", "2", Duration.ofSeconds(5))).isEqualTo("1");
            assertThat(readings).hasValue(before + 1);
            assertThat(map.expiry("key")).hasValue(START.plusMillis(before).plusSeconds(5));
        }
    }

    @Test
    void readsTheTimeOnceInACallAndOnlyWhereSomethingExpires() {
        try (LarderMap<String, String> map = open(MapTime.of(ticking))) {
            map.set("for ever", "1");
            map.get("for ever");
            assertThat(readings).hasValue(0);
            map.set("key", "1", START.plusSeconds(9));
            long before = readings.get();
            map.get("key");
            assertThat(map.containsKey("key")).isTrue();
            map.replace("key", "1", "2");
            assertThat(readings).hasValue(before + 3);
        }
    }

    @Test
    void readsTheTimeForEachKeyAndAfterEachRunOfAFunction() {
        try (LarderMap<String, String> map = open(MapTime.of(ticking))) {
            map.set("a", "1", START.plusSeconds(9));
            map.set("b", "1", START.plusSeconds(9));
            long before = readings.get();
            assertThat(map.getAll(List.of("a", "b"))).hasSize(2);
            assertThat(readings).hasValue(before + 2);
            assertThat(map.merge("a", "2", String::concat)).isEqualTo("12");
            assertThat(readings).hasValue(before + 4);
        }
    }

    /** The owner of the clock learns which results another time would change. */
    @Test
    void tellsTheDeadlineOfWhatIsAlive() {
        AtomicLong millis = new AtomicLong(START.toEpochMilli());
        Queue<Long> alive = new ConcurrentLinkedQueue<>();
        MapTime time = MapTime.of(() -> Instant.ofEpochMilli(millis.get())).withAlive(alive::add);
        try (LarderMap<String, String> map = open(time)) {
            map.set("for ever", "1");
            map.set("key", "1", START.plusSeconds(9));
            alive.clear();
            map.get("for ever");
            assertThat(alive).isEmpty();
            for (Supplier<?> read : List.<Supplier<?>>of(
                    () -> map.get("key"),
                    () -> map.containsKey("key"),
                    () -> map.expiry("key"),
                    () -> List.copyOf(map.keySet()),
                    () -> List.copyOf(map.entrySet()))) {
                assertThat(read.get()).isNotNull();
                assertThat(alive).isNotEmpty().containsOnly(START.plusSeconds(9).toEpochMilli());
                alive.clear();
            }
            millis.addAndGet(9000);
            assertThat(map.get("key")).isNull();
            assertThat(alive).isEmpty();
        }
    }

    /** The put replaces the existing entry, as if it had come in time. */
    @Test
    void takesAnInstantThatHasPassed() {
        try (LarderMap<String, String> map = open(MapTime.of(ticking))) {
            map.set("key", "1");
            map.set("key", "2", START.minusSeconds(1));
            assertThat(map.get("key")).isNull();
            assertThat(map.entrySet().iterator().hasNext()).isFalse();
        }
    }

    @Test
    void refusesInstantsThatAreTooFarAway() {
        try (LarderMap<String, String> map = open(MapTime.of(ticking))) {
            for (Instant away : List.of(START.plus(FAR), START.minus(FAR), Instant.MAX)) {
                assertThatThrownBy(() -> map.set("key", "1", away))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining(away.toString())
                        .hasMessageContaining("17 years");
            }
            assertThat(map.get("key")).isNull();
        }
    }

    /** An entry that has expired for calls is kept until the cleaner's time has reached its deadline. */
    @Test
    void cleansByTheCleanersTime() {
        AtomicLong millis = new AtomicLong(START.toEpochMilli());
        MapTime time = MapTime.of(() -> Instant.ofEpochMilli(millis.get()))
                .withCleaning(() -> Instant.ofEpochMilli(cleanersMillis.get()));
        try (LarderMap<String, String> map = open(time)) {
            map.set("key", "1", START.plusSeconds(10));
            fillSegment(map);
            millis.addAndGet(20_000);
            assertThat(map.get("key")).isNull();
            map.compact();
            assertThat(map.longSize()).isEqualTo(2);
            millis.addAndGet(-20_000);
            assertThat(map.get("key")).isEqualTo("1");
            assertThat(map.expiry("key")).hasValue(START.plusSeconds(10));
            fillSegment(map);
            cleanersMillis.addAndGet(10_000);
            map.compact();
            assertThat(map.longSize()).isEqualTo(1);
            assertThat(map.get("key")).isNull();
        }
    }

    /** The bits of a deadline wrap around every 35 years, and a cleaner's time may lag by more than half of that. */
    @Test
    void keepsWhatLivesHoweverFarTheCleanersTimeLiesBehind() {
        for (Instant behind : List.of(Instant.EPOCH, START.minus(FAR), Instant.ofEpochMilli(Long.MIN_VALUE / 2))) {
            try (LarderMap<String, String> map = open(MapTime.of(ticking).withCleaning(() -> behind))) {
                for (int hours = 1; hours <= 150_000; hours *= 3) {
                    map.set("lives " + hours, "1", Duration.ofHours(hours));
                }
                map.set("has passed", "1", START.minusSeconds(1));
                fillSegment(map);
                map.compact();
                for (int hours = 1; hours <= 150_000; hours *= 3) {
                    assertThat(map.get("lives " + hours)).as("%d h", hours).isEqualTo("1");
                }
                assertThat(map.longSize()).as("by its time nothing has passed").isEqualTo(13);
            }
        }
    }

    /** An entry that is used gets a quarter more, and clocks may differ. */
    @Test
    void keepsTheLongestLifetimeByATimeThatIsBehind() {
        Lifetime longest = Lifetime.sinceUse(Duration.ofDays(17 * 365));
        MapTime time = MapTime.of(ticking).withCleaning(() -> START.minusSeconds(3600));
        try (LarderMap<String, String> map = LarderMap.open(
                directory, ValueCodec.texts(), ValueCodec.texts(), options(time).withLifetime(longest))) {
            map.set("key", "1");
            fillSegment(map);
            map.compact();
            assertThat(map.get("key")).isEqualTo("1");
        }
        MapTime another = MapTime.of(() -> START.minusSeconds(3600));
        try (LarderMap<String, String> map = open(another)) {
            assertThat(map.get("key")).isEqualTo("1");
        }
    }

    private static void fillSegment(LarderMap<String, String> map) {
        for (int i = 0; i < 30; i++) {
            map.set("other", "x".repeat(100_000));
        }
    }
}
