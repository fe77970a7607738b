package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Listeners to removed entries, and loaders of missing ones. */
@Timeout(300)
final class ListenerTest {

    @TempDir
    Path directory;

    @Test
    void tellsWhatGoes() {
        List<String> gone = new ArrayList<>();
        try (LarderMap<String, String> map = TestMaps.texts(directory)) {
            map.put("before", "0");
            map.put("before", "1");
            map.listener((key, value, cause) -> gone.add(key + "=" + value + " " + cause));
            map.put("a", "1");
            map.put("a", "2");
            map.set("a", "3");
            map.putIfAbsent("a", "4");
            map.replace("a", "3", "5");
            map.merge("a", "6", String::concat);
            map.compute("a", (key, value) -> null);
            map.remove("none");
            map.put("b", "1");
            map.keySet().remove("b");
            map.put("c", "1");
            map.clear();
        }
        assertThat(gone)
                .containsExactlyInAnyOrder(
                        "a=1 REPLACED",
                        "a=2 REPLACED",
                        "a=3 REPLACED",
                        "a=5 REPLACED",
                        "a=56 REMOVED",
                        "b=1 REMOVED",
                        "c=1 REMOVED",
                        "before=1 REMOVED");
    }

    /** An error of a listener changes nothing. A listener may read the map, but not change it. */
    @Test
    void cannotDoHarm() {
        List<String> seen = new ArrayList<>();
        try (LarderMap<String, String> map = TestMaps.texts(directory)) {
            map.listener((key, value, cause) -> {
                seen.add(String.valueOf(map.get(key)));
                map.put("other", "1");
            });
            map.put("a", "1");
            assertThat(map.put("a", "2")).isEqualTo("1");
            assertThat(map.remove("a")).isEqualTo("2");
            assertThat(map).isEmpty();
            assertThat(seen).containsExactly("2", "null");
            map.put("other", "2");
        }
    }

    @Test
    void loadsOnceWhatManyMiss() throws Exception {
        AtomicInteger loaded = new AtomicInteger();
        CountDownLatch missed = new CountDownLatch(7);
        try (LarderMap<String, String> map = TestMaps.texts(directory);
                ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<String>> values = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                values.add(threads.submit(() -> {
                    missed.countDown();
                    return map.getOrLoad("key", key -> {
                        await(missed);
                        return key + loaded.incrementAndGet();
                    });
                }));
            }
            for (Future<String> value : values) {
                assertThat(value.get()).isEqualTo("key1");
            }
            assertThat(loaded).hasValue(1);
            assertThat(map.get("key")).isEqualTo("key1");
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void loadsAgainAfterAnError() {
        try (LarderMap<String, String> map = TestMaps.texts(directory)) {
            assertThatThrownBy(() -> map.getOrLoad("key", key -> {
                        throw new UnsupportedOperationException("not now");
                    }))
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessage("not now");
            assertThat(map.getOrLoad("key", key -> null)).isNull();
            assertThat(map).isEmpty();
            assertThatThrownBy(() -> map.getOrLoad("key", key -> map.getOrLoad(key, same -> "1")))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the key that it loads");
            assertThat(map.getOrLoad("key", key -> map.getOrLoad("other", same -> "1") + "2"))
                    .isEqualTo("12");
            assertThat(map.getOrLoad("key", key -> "3")).isEqualTo("12");
            assertThat(map.getOrLoad("key2", key -> {
                        map.put(key, "4");
                        return "5";
                    }))
                    .isEqualTo("4");
        }
    }
}
