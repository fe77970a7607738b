package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A decision by a value applies to that value, and not to one that another thread has put since. */
final class NewerValuesTest {

    @TempDir
    Path directory;

    private LarderMap<String, String> map;

    @BeforeEach
    void open() {
        map = TestMaps.texts(directory);
        map.putAll(Map.of("stale", "older", "fresh", "old"));
    }

    @AfterEach
    void close() {
        map.close();
    }

    /** Acts like another thread between the look at a value and its removal. */
    private boolean isOld(String value) {
        if (value.equals("old")) {
            map.set("fresh", "new");
        }
        return value.startsWith("old");
    }

    @Test
    void stayWhenValuesAreRemovedByATest() {
        assertThat(map.values().removeIf(this::isOld)).isTrue();
        assertThat(map).containsOnly(Map.entry("fresh", "new"));
    }

    @Test
    void stayWhenEntriesAreRemovedByATest() {
        assertThat(map.entrySet().removeIf(entry -> isOld(entry.getValue()))).isTrue();
        assertThat(map).containsOnly(Map.entry("fresh", "new"));
    }

    @Test
    void stayWhenValuesAreRemovedOrRetained() {
        map.set("other", "kept");
        assertThat(map.values().removeAll(List.of("old", "older", "none"))).isTrue();
        assertThat(map).containsOnly(Map.entry("other", "kept"));
        map.set("another", "also");
        assertThat(map.values().retainAll(Set.of("also"))).isTrue();
        assertThat(map.values().retainAll(Set.of("also"))).isFalse();
        assertThat(map).containsOnly(Map.entry("another", "also"));
        assertThat(map.values().remove("none")).isFalse();
        assertThat(map.values().remove("also")).isTrue();
        assertThat(map).isEmpty();
    }

    @Test
    void stayWhenEntriesAreRemovedOrRetained() {
        map.set("fresh", "new");
        assertThat(map.entrySet().removeAll(List.of(Map.entry("fresh", "old"), Map.entry("stale", "older"))))
                .isTrue();
        assertThat(map).containsOnly(Map.entry("fresh", "new"));
        assertThat(map.entrySet().retainAll(Set.of(Map.entry("fresh", "old")))).isTrue();
        assertThat(map).isEmpty();
    }

    /**
     * Another thread has put the key while its value was computed. That value stays, with its lifetime, and no listener is told.
     */
    @Test
    void stayWhenOneIsComputedWhereNoneWas() {
        List<String> told = new ArrayList<>();
        map.listener((key, value, cause) -> told.add(key));
        String value = map.computeIfAbsent("absent", key -> {
            map.set(key, "another's", Duration.ofHours(1));
            return "computed";
        });
        assertThat(value).isEqualTo("another's");
        assertThat(map.get("absent")).isEqualTo("another's");
        assertThat(map.expiry("absent")).isPresent();
        assertThat(told).isEmpty();
        assertThat(map.computeIfAbsent("none", key -> null)).isNull();
    }
}
