package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.ValueCodec;
import dev.larder.log.layer.HookedOptions;
import dev.larder.map.format.CheckpointLayout;
import dev.larder.memory.SystemLimitException;
import dev.larder.memory.doubles.FaultyStorage;
import dev.larder.memory.doubles.StorageCall;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries that live for a time, by a clock that the tests set. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class ExpiryTest {

    private static final long START_MILLIS = 1_800_000_000_000L;

    @TempDir
    Path directory;

    private final StoppedClock clock = new StoppedClock(START_MILLIS);
    private final Random random = new Random(1);
    private final List<String> gone = new ArrayList<>();

    private LarderMap<String, String> open(Lifetime lifetime) {
        return open(lifetime, Cleaning.defaults().withBackground(false));
    }

    private LarderMap<String, String> open(Lifetime lifetime, Cleaning cleaning) {
        MapOptions options = MapOptions.defaults()
                .withLog(HookedOptions.withStorage(TestMaps.options(), clock))
                .withCleaning(cleaning)
                .withLifetime(lifetime);
        LarderMap<String, String> map = LarderMap.open(directory, ValueCodec.texts(), ValueCodec.texts(), options);
        map.listener((key, value, cause) -> gone.add(key + "=" + value + " " + cause));
        return map;
    }

    private void pass(long millis) {
        clock.pass(millis);
    }

    @Test
    void isNotThereAfterItsTime() {
        try (LarderMap<String, String> map = open(Lifetime.endless())) {
            map.set("short", "1", Duration.ofMillis(100));
            map.set("long", "2", Duration.ofSeconds(10));
            map.set("endless", "3");
            pass(99);
            assertThat(map).containsOnly(Map.entry("short", "1"), Map.entry("long", "2"), Map.entry("endless", "3"));
            pass(1);
            assertThat(map.get("short")).isNull();
            assertThat(map.containsKey("short")).isFalse();
            assertThat(map.read("short", (segment, offset, length) -> {})).isFalse();
            assertThat(map.keySet()).containsExactlyInAnyOrder("long", "endless");
            assertThat(map.remove("short", "1")).isFalse();
            assertThat(map.replace("short", "4")).isNull();
            assertThat(map.replace("short", "1", "4")).isFalse();
            assertThat(map.remove("short")).isNull();
            pass(Duration.ofDays(3000).toMillis());
            assertThat(map).containsOnly(Map.entry("endless", "3"));
        }
    }

    @Test
    void tellsWhenItExpires() {
        try (LarderMap<String, String> map = open(Lifetime.endless())) {
            map.set("short", "1", Duration.ofMillis(100));
            map.set("endless", "3");
            try (MapSnapshot<String, String> snapshot = map.snapshot()) {
                Instant until = Instant.ofEpochMilli(START_MILLIS + 100);
                pass(50);
                assertThat(map.expiry("short")).hasValue(until);
                assertThat(map.expiry("endless")).isEmpty();
                assertThat(map.expiry("never put")).isEmpty();
                pass(50);
                assertThat(map.expiry("short")).isEmpty();
                map.set("short", "2", Duration.ofMillis(100));
                assertThat(snapshot.expiry("short")).hasValue(until);
                assertThat(snapshot.expiry("endless")).isEmpty();
            }
        }
    }

    @Test
    void canBePutAgain() {
        try (LarderMap<String, String> map = open(Lifetime.endless())) {
            map.set("a", "1", Duration.ofMillis(5));
            pass(5);
            assertThat(map.putIfAbsent("a", "2")).isNull();
            map.set("b", "1", Duration.ofMillis(5));
            pass(5);
            assertThat(map.put("b", "2")).isNull();
            map.set("c", "1", Duration.ofMillis(5));
            pass(5);
            assertThat(map.merge("c", "2", String::concat)).isEqualTo("2");
            map.set("d", "1", Duration.ofMillis(5));
            pass(5);
            assertThat(map.computeIfAbsent("d", key -> "2")).isEqualTo("2");
            assertThat(map.values()).containsOnly("2").hasSize(4);
            assertThat(map.longSize()).isEqualTo(4);
            assertThat(gone).containsExactly("a=1 EXPIRED", "b=1 EXPIRED", "c=1 EXPIRED", "d=1 EXPIRED");
        }
    }

    /** Only the size of the map counts it. */
    @Test
    void isNotCountedWhereMapsAndViewsAreCompared() {
        try (LarderMap<String, String> map = open(Lifetime.endless());
                LarderMap<String, String> other = LarderMap.open(
                        directory.resolve("other"),
                        ValueCodec.texts(),
                        ValueCodec.texts(),
                        HookedOptions.withStorage(TestMaps.options(), clock))) {
            map.set("short", "1", Duration.ofMillis(100));
            map.set("endless", "2");
            other.set("endless", "2");
            other.set("also short", "1", Duration.ofMillis(100));
            other.set("also short too", "1", Duration.ofMillis(100));
            assertThat(map.equals(other)).isFalse();
            assertThat(map.keySet().equals(other.keySet())).isFalse();
            assertThat(map.entrySet().equals(other.entrySet())).isFalse();
            pass(100);
            Map<String, String> live = Map.of("endless", "2");
            assertThat(map.equals(live)).isTrue();
            assertThat(map.equals(other)).isTrue();
            assertThat(other.equals(map)).isTrue();
            assertThat(map.keySet().equals(live.keySet())).isTrue();
            assertThat(map.keySet().equals(other.keySet())).isTrue();
            assertThat(map.entrySet().equals(live.entrySet())).isTrue();
            assertThat(map.entrySet().equals(other.entrySet())).isTrue();
            assertThat(map).hasSameHashCodeAs(live).hasSameHashCodeAs(other);
            for (Map<?, ?> another :
                    List.of(Map.of(), Map.of("endless", "3"), Map.of("endless", "2", "short", "1"), Map.of(1L, "2"))) {
                assertThat(map.equals(another)).isFalse();
                assertThat(map.keySet().equals(another.keySet()))
                        .isEqualTo(another.keySet().equals(live.keySet()));
                assertThat(map.entrySet().equals(another.entrySet())).isFalse();
            }
            assertThat(map.keySet().isEmpty()).isFalse();
            map.remove("endless");
            assertThat(map.longSize()).isEqualTo(1);
            assertThat(map.isEmpty()).isTrue();
            assertThat(map.keySet().isEmpty()).isTrue();
            assertThat(map.entrySet().isEmpty()).isTrue();
            assertThat(map.values().isEmpty()).isTrue();
            assertThat(map.equals(Map.of())).isTrue();
        }
    }

    /** Readers find the entry gone while the function runs. So a value that was made from it must not come. */
    @Test
    void isNotWhatAFunctionMakesItsResultFromIfItExpiresMeanwhile() {
        List<String> met = new ArrayList<>();
        try (LarderMap<String, String> map = open(Lifetime.endless())) {
            map.set("a", "1", Duration.ofMillis(100));
            assertThat(map.compute("a", (key, value) -> {
                        met.add(String.valueOf(value));
                        pass(100);
                        assertThat(map.get("a")).isNull();
                        return value + "2";
                    }))
                    .isEqualTo("null2");
            assertThat(met).containsExactly("1", "null");
            assertThat(map.get("a")).isEqualTo("null2");
            assertThat(map.expiry("a")).isEmpty();
            map.set("b", "1", Duration.ofMillis(100));
            assertThat(map.merge("b", "2", (former, value) -> {
                        pass(100);
                        return former + value;
                    }))
                    .isEqualTo("2");
            map.set("c", "1", Duration.ofMillis(100));
            assertThat(map.computeIfPresent("c", (key, value) -> {
                        pass(100);
                        return value + "2";
                    }))
                    .isNull();
            assertThat(map).containsOnly(Map.entry("a", "null2"), Map.entry("b", "2"));
        }
    }

    /** An iterator collects the entries of a page together. Some of these expire before it comes to them. */
    @Test
    void isIteratedOverWhereItWasPutAgainInTime() {
        try (LarderMap<String, String> map = open(Lifetime.endless())) {
            Set<String> keys = new HashSet<>();
            for (int i = 0; i < 1000; i++) {
                map.set("key" + i, "1", Duration.ofMillis(100));
                keys.add("key" + i);
            }
            Iterator<Map.Entry<String, String>> entries = map.entrySet().iterator();
            Set<String> met = new HashSet<>(Set.of(entries.next().getKey()));
            keys.forEach(key -> map.set(key, "2"));
            pass(100);
            entries.forEachRemaining(entry -> {
                assertThat(entry.getValue()).isEqualTo("2");
                assertThat(met.add(entry.getKey())).isTrue();
            });
            assertThat(met).isEqualTo(keys);
        }
    }

    @Test
    void isScannedWhereItWasPutAgainInTime() {
        try (LarderMap<String, String> map = open(Lifetime.endless())) {
            Set<String> keys = new HashSet<>();
            for (int i = 0; i < 1000; i++) {
                map.set("key" + i, "1", Duration.ofMillis(100));
                keys.add("key" + i);
            }
            Set<String> met = new HashSet<>();
            map.scanKeys(0, 1000, key -> {
                if (met.isEmpty()) {
                    keys.forEach(again -> map.set(again, "2"));
                    pass(100);
                }
                met.add(key);
            });
            assertThat(met).isEqualTo(keys);
        }
    }

    /** The map's own lifetime starts again with each write. */
    @Test
    void livesSinceItWasWritten() {
        try (LarderMap<String, String> map = open(Lifetime.sinceWrite(Duration.ofMillis(10)))) {
            map.put("a", "1");
            map.put("b", "1");
            pass(6);
            map.put("a", "2");
            assertThat(map.get("b")).isEqualTo("1");
            pass(6);
            assertThat(map).containsOnly(Map.entry("a", "2"));
            map.compute("a", (key, value) -> value + "3");
            pass(6);
            assertThat(map.get("a")).isEqualTo("23");
            pass(4);
            assertThat(map).isEmpty();
        }
    }

    /** The lifetime is exact to the millisecond, also if it is no multiple of four. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 1999})
    void livesItsWholeTimeSinceItsLastUse(int millis) {
        try (LarderMap<String, String> map = open(Lifetime.sinceUse(Duration.ofMillis(millis)))) {
            for (int used = 0; used < millis; used += 1 + millis / 100) {
                map.put("a", "1");
                pass(used);
                assertThat(map.get("a")).isEqualTo("1");
                pass(millis - 1);
                assertThat(map.containsKey("a"))
                        .as("put, used after %d ms, looked at after %d ms more", used, millis - 1)
                        .isTrue();
            }
        }
    }

    /** An entry lives at least the given time, and at most a quarter more. */
    @Test
    void livesSinceItWasUsed() {
        try (LarderMap<String, String> map = open(Lifetime.sinceUse(Duration.ofSeconds(1)))) {
            map.put("used", "1");
            map.put("idle", "1");
            for (int i = 0; i < 50; i++) {
                pass(990);
                assertThat(map.get("used")).as("after %s looks", i).isEqualTo("1");
            }
            assertThat(map.get("idle")).isNull();
            assertThat(map.containsKey("used")).isTrue();
            pass(1000);
            assertThat(map.containsKey("used")).isTrue();
            pass(1251);
            assertThat(map.get("used")).isNull();
        }
    }

    /** A lookup that has found its entry does not fail because it cannot write that the entry was used. */
    @Test
    void isFoundWhereItsTimeCannotBeProlonged() {
        FaultyStorage storage = new FaultyStorage(clock);
        MapOptions options = MapOptions.defaults()
                .withLog(HookedOptions.withStorage(TestMaps.options(), storage))
                .withCleaning(Cleaning.defaults().withBackground(false))
                .withLifetime(Lifetime.sinceUse(Duration.ofSeconds(100)));
        try (LarderMap<Long, byte[]> map = LarderMap.open(directory, ValueCodec.longs(), ValueCodec.bytes(), options)) {
            for (long key = 0; key < 10; key++) {
                map.set(key, new byte[300_000]);
            }
            pass(99_000);
            storage.failFrom(StorageCall.OPEN, 0, () -> new SystemLimitException("too many open files"));
            storage.failFrom(StorageCall.CREATE, 0, () -> new SystemLimitException("too many open files"));
            for (long key = 0; key < 10; key++) {
                assertThat(map.get(key)).hasSize(300_000);
            }
            storage.heal();
            assertThat(map.get(9L)).hasSize(300_000);
            pass(99_000);
            assertThat(map.containsKey(9L)).as("prolonged by the next look-up").isTrue();
        }
    }

    /** An entry's own time replaces the map's time, whether shorter or longer, and a use does not change that. */
    @Test
    void keepsATimeOfItsOwnHoweverOftenItIsUsed() {
        try (LarderMap<String, String> map = open(Lifetime.sinceUse(Duration.ofMinutes(10)))) {
            map.set("short", "1", Duration.ofSeconds(30));
            map.set("long", "1", Duration.ofMinutes(40));
            Instant shortUntil = Instant.ofEpochMilli(START_MILLIS).plus(Duration.ofSeconds(30));
            for (int i = 0; i < 2; i++) {
                pass(14_900);
                useInEveryWay(map, "short");
                assertThat(map.expiry("short")).hasValue(shortUntil);
            }
            pass(200);
            assertThat(map.containsKey("short")).isFalse();
            for (int i = 0; i < 3; i++) {
                pass(Duration.ofMinutes(13).toMillis());
                useInEveryWay(map, "long");
            }
            pass(Duration.ofMinutes(1).toMillis());
            assertThat(map.containsKey("long")).isFalse();
        }
    }

    private static void useInEveryWay(LarderMap<String, String> map, String key) {
        assertThat(map.get(key)).isEqualTo("1");
        assertThat(map.containsKey(key)).isTrue();
        assertThat(map.read(key, (segment, offset, length) -> {})).isTrue();
        assertThat(map.getAll(List.of(key))).containsOnlyKeys(key);
    }

    /** The last put decides which of the two times is the entry's. */
    @Test
    void livesByTheTimeThatItWasPutWithLast() {
        try (LarderMap<String, String> map = open(Lifetime.sinceUse(Duration.ofSeconds(100)))) {
            map.set("own before", "1", Duration.ofSeconds(50));
            map.set("own before", "1");
            map.put("own now", "1");
            map.set("own now", "1", Duration.ofSeconds(150));
            try (MapLoader<String, String> loader = map.loader()) {
                loader.put("loaded", "1");
            }
            pass(90_000);
            map.forEach((key, value) -> useInEveryWay(map, key));
            pass(90_000);
            assertThat(map.keySet()).containsExactlyInAnyOrder("own before", "loaded");
        }
    }

    /** The record says which of the two times it holds, and keeps that when it is carried, opened and read again. */
    @Test
    void knowsWhoseTimeItIsWhereverItsRecordGoes() throws Exception {
        Lifetime lifetime = Lifetime.sinceUse(Duration.ofSeconds(100));
        try (LarderMap<String, String> map = open(lifetime)) {
            map.set("own", "1", Duration.ofSeconds(100));
            map.set("map's", "1");
            for (int i = 0; i < 4000; i++) {
                map.set("filler", "x".repeat(1000));
            }
            long first = map.info().log().firstPosition();
            map.compact();
            assertThat(map.info().log().firstPosition()).isGreaterThan(first);
        }
        Files.delete(directory.resolve(CheckpointLayout.FILE_NAME));
        try (LarderMap<String, String> map = open(lifetime)) {
            pass(90_000);
            useInEveryWay(map, "own");
            useInEveryWay(map, "map's");
        }
        try (LarderMap<String, String> map = open(lifetime)) {
            pass(90_000);
            assertThat(map.containsKey("own")).isFalse();
            useInEveryWay(map, "map's");
        }
    }

    /** An entry keeps the time that it was put with, in an opening with another lifetime. */
    @Test
    void isNotProlongedByUseWhereItsTimeBeganWithItsWriting() {
        try (LarderMap<String, String> map = open(Lifetime.sinceWrite(Duration.ofSeconds(10)))) {
            map.set("a", "1");
        }
        try (LarderMap<String, String> map = open(Lifetime.sinceUse(Duration.ofSeconds(100)))) {
            pass(9000);
            useInEveryWay(map, "a");
            pass(1000);
            assertThat(map.containsKey("a")).isFalse();
        }
    }

    /** A use costs a write only when a fifth of the time has passed. */
    @Test
    void isNotWrittenAtEachUse() {
        try (LarderMap<String, String> map = open(Lifetime.sinceUse(Duration.ofSeconds(100)))) {
            map.put("a", "1");
            long records = map.info().log().endPosition();
            for (int i = 0; i < 1000; i++) {
                pass(10);
                map.get("a");
            }
            assertThat(map.info().log().endPosition()).isEqualTo(records);
        }
    }

    @Test
    void keepsItsTimeWhenTheMapIsOpenedAgain() throws Exception {
        try (LarderMap<String, String> map = open(Lifetime.endless())) {
            map.set("short", "1", Duration.ofMillis(100));
            map.set("long", "2", Duration.ofMillis(200));
        }
        pass(150);
        try (LarderMap<String, String> map = open(Lifetime.endless())) {
            assertThat(map).containsOnly(Map.entry("long", "2"));
        }
        Files.delete(directory.resolve(CheckpointLayout.FILE_NAME));
        try (LarderMap<String, String> map = open(Lifetime.endless())) {
            assertThat(map).containsOnly(Map.entry("long", "2"));
            pass(50);
            assertThat(map).isEmpty();
        }
    }

    @Test
    void isToldWhenItsKeyIsRemoved() {
        List<String> lost = new ArrayList<>();
        try (LarderMap<String, String> map = open(Lifetime.endless())) {
            map.lossListener((key, cause) -> lost.add(key + " " + cause));
            for (String key : List.of("removed", "deleted", "of the set", "compared")) {
                map.set(key, "1", Duration.ofMillis(100));
            }
            pass(100);
            assertThat(map.remove("removed")).isNull();
            assertThat(map.delete("deleted")).isFalse();
            assertThat(map.keySet().remove("of the set")).isFalse();
            assertThat(map.remove("compared", "1")).isFalse();
            assertThat(gone).containsExactly("removed=1 EXPIRED", "deleted=1 EXPIRED", "of the set=1 EXPIRED");
            assertThat(lost).containsExactly("removed EXPIRED", "deleted EXPIRED", "of the set EXPIRED");
            assertThat(map.remove("removed")).isNull();
            assertThat(map.longSize()).as("of the one that was compared").isEqualTo(1);
            assertThat(gone).hasSize(3);
        }
    }

    /** An error of a listener ends neither the change nor the cleaner that calls the listener. */
    @Test
    void isToldToListenersThatFail() {
        List<String> lost = new ArrayList<>();
        try (LarderMap<String, String> map = open(Lifetime.endless())) {
            map.listener((key, value, cause) -> {
                gone.add(key);
                throw new AssertionError("the removal listener throws");
            });
            map.lossListener((key, cause) -> {
                lost.add(key);
                throw new NoClassDefFoundError("the loss listener throws");
            });
            map.put("a", "1", Duration.ofSeconds(1));
            assertThat(map.put("b", "1", Duration.ofSeconds(1))).isNull();
            String value = "x".repeat(1000);
            for (int i = 0; i < 4000; i++) {
                map.set("short " + i, value, Duration.ofSeconds(1));
            }
            pass(1000);
            assertThat(map.put("a", "2")).isNull();
            assertThat(map.put("a", "3")).isEqualTo("2");
            map.set("b", value);
            map.compact();
            assertThat(lost).hasSizeGreaterThan(1000).doesNotHaveDuplicates();
            assertThat(gone).hasSize(lost.size() + 1);
        }
    }

    /** The cleaner carries times unchanged, and leaves out expired entries. */
    @Test
    void isForgottenByTheCleaner() {
        try (LarderMap<String, String> map = open(Lifetime.endless())) {
            String value = "x".repeat(1000);
            for (int i = 0; i < 4000; i++) {
                map.set("short " + i, value, Duration.ofSeconds(1));
                map.set("long " + i, value, Duration.ofSeconds(100));
            }
            pass(1000);
            assertThat(map.longSize()).as("counts them until they are cleaned").isEqualTo(8000);
            map.set("tail", value);
            map.compact();
            long live = map.info().space().liveBytes();
            assertThat(map.info().space().expired()).isBetween(3000L, 4000L);
            assertThat(gone).hasSize((int) map.info().space().expired()).allMatch(text -> text.endsWith("EXPIRED"));
            assertThat(map.longSize()).isEqualTo(8001 - map.info().space().expired());
            // 4.06 MB live, and up to a segment of expired entries beside them
            assertThat(live).isBetween(4_000_000L, 5_200_000L);
            assertThat(map.get("long 0")).isEqualTo(value);
            pass(99_000);
            assertThat(map.get("long 0")).isNull();
            assertThat(map.keySet()).containsExactly("tail");
        }
    }

    /** The space is freed also if no entry is put any more. */
    @Test
    void givesItsSpaceBackByItself() throws Exception {
        try (LarderMap<String, String> map = open(Lifetime.sinceWrite(Duration.ofSeconds(5)), Cleaning.defaults())) {
            String value = "x".repeat(1000);
            for (int i = 0; i < 20_000; i++) {
                map.set("key " + i, value);
            }
            long before = map.info().space().fileBytes();
            pass(5000);
            while (map.info().space().fileBytes() > before / 4) {
                TimeUnit.MILLISECONDS.sleep(50); // until the timeout of the test
            }
            assertThat(map.longSize()).isLessThan(20_000 / 4);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT-1S", "PT0.0009S", "P7000D", "PT9223372036854775807S"})
    void refusesATimeThatIsNone(String text) {
        Duration time = Duration.parse(text);
        assertThatThrownBy(() -> Lifetime.sinceWrite(time))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(time.toString());
        try (LarderMap<String, String> map = open(Lifetime.endless())) {
            assertThatThrownBy(() -> map.set("a", "1", time)).isInstanceOf(IllegalArgumentException.class);
            assertThat(map).isEmpty();
        }
    }

    @Test
    void refusesTwoLifetimes() {
        assertThatThrownBy(() -> new Lifetime(
                        java.util.Optional.of(Duration.ofSeconds(1)), java.util.Optional.of(Duration.ofSeconds(2))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT2S");
    }

    @Test
    void whatHasExpiredIsFoundByAScanAndRemovedOnce() {
        List<String> lost = new ArrayList<>();
        try (LarderMap<String, String> map = open(Lifetime.endless())) {
            map.lossListener((key, cause) -> lost.add(key + " " + cause));
            assertThat(map.hasMetExpiry()).isFalse();
            map.set("endless", "0");
            map.set("short", "1", Duration.ofMillis(100));
            map.set("overwritten", "2", Duration.ofMillis(100));
            map.set("long", "3", Duration.ofMillis(101));
            assertThat(map.hasMetExpiry()).isTrue();
            assertThat(map.removeExpired("short")).isFalse();
            assertThat(map.removeExpired("nothing")).isFalse();
            pass(100);
            map.set("overwritten", "4");
            map.set("overwritten", "5");
            assertThat(expired(map)).containsExactly("short");
            assertThat(map.longSize()).isEqualTo(4);
            assertThat(map.removeExpired("short")).isTrue();
            assertThat(map.removeExpired("short")).isFalse();
            assertThat(map.longSize()).isEqualTo(3);
            assertThat(expired(map)).isEmpty();
            assertThat(map)
                    .containsOnly(Map.entry("overwritten", "5"), Map.entry("long", "3"), Map.entry("endless", "0"));
        }
        assertThat(lost).containsExactly("overwritten EXPIRED", "short EXPIRED");
        assertThat(gone).contains("overwritten=2 EXPIRED", "overwritten=4 REPLACED", "short=1 EXPIRED");
        try (LarderMap<String, String> map = open(Lifetime.endless())) {
            assertThat(map.get("short")).isNull();
            assertThat(map.longSize()).isEqualTo(3);
            pass(1);
            assertThat(expired(map)).containsExactly("long");
        }
    }

    @Test
    void aScanForExpiredEntriesFindsAllOfThemInTheEnd() {
        try (LarderMap<String, String> map = open(Lifetime.endless())) {
            for (int i = 0; i < 2_000; i++) {
                map.set("stays" + i, "x");
            }
            for (int i = 0; i < 300; i++) {
                map.set("goes" + i, "x", Duration.ofMillis(10));
            }
            pass(10);
            for (int pass = 0; map.longSize() > 2_000; pass++) {
                assertThat(pass).isLessThan(10_000);
                expired(map).forEach(key -> assertThat(map.removeExpired(key)).isTrue());
            }
            assertThat(map).hasSize(2_000);
        }
    }

    /** A scan that has no time left still continues, because it must not seem to have reached the end. */
    @Test
    void aScanForExpiredEntriesThatIsStoppedAtOnceMakesProgress() {
        try (LarderMap<String, String> map = open(Lifetime.endless())) {
            map.set("key", "value", Duration.ofMillis(100));
            pass(100);
            List<String> found = new ArrayList<>();
            int calls = 0;
            long cursor = 0;
            do {
                cursor = map.scanExpired(cursor, random, () -> false, found::add);
                calls++;
            } while (cursor != 0);
            assertThat(found).containsExactly("key");
            assertThat(calls).isGreaterThan(1);
        }
    }

    private List<String> expired(LarderMap<String, String> map) {
        List<String> found = new ArrayList<>();
        assertThat(map.scanExpired(0, random, () -> true, found::add)).isZero();
        return found;
    }
}
