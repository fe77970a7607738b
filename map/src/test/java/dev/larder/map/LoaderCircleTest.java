package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.larder.tests.support.OtherThread;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Loaders that ask for each other's keys. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class LoaderCircleTest {

    @TempDir
    Path folder;

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new AssertionError(e);
        }
    }

    /** Loads a key, and asks for another one once all loads have begun. */
    private static CompletableFuture<Void> load(
            LarderMap<String, String> map,
            String key,
            LarderMap<String, String> asked,
            String other,
            CyclicBarrier all) {
        return OtherThread.run(() -> Objects.requireNonNull(map.getOrLoad(key, same -> {
            await(all);
            return asked.getOrLoad(other, _ -> "not loaded here");
        })));
    }

    private static Throwable cause(CompletableFuture<Void> failed) {
        return Objects.requireNonNull(catchThrowable(failed::join).getCause());
    }

    @Test
    void isRefusedWhereTwoThreadsWouldWaitForEachOther() {
        try (LarderMap<String, String> map = TestMaps.texts(folder)) {
            CyclicBarrier all = new CyclicBarrier(2);
            CompletableFuture<Void> one = load(map, "egg", map, "hen", all);
            CompletableFuture<Void> two = load(map, "hen", map, "egg", all);
            for (CompletableFuture<Void> each : List.of(one, two)) {
                assertThat(cause(each))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("key egg of " + folder)
                        .hasMessageContaining("key hen of " + folder);
            }
            assertThat(map).isEmpty();
            assertThat(map.getOrLoad("egg", key -> "laid"))
                    .as("the next call loads")
                    .isEqualTo("laid");
        }
    }

    @Test
    void isRefusedAcrossMaps() {
        try (LarderMap<String, String> first = TestMaps.texts(folder.resolve("first"));
                LarderMap<String, String> second = TestMaps.texts(folder.resolve("second"))) {
            CyclicBarrier all = new CyclicBarrier(3);
            CompletableFuture<Void> one = load(first, "a", second, "b", all);
            CompletableFuture<Void> two = load(second, "b", first, "c", all);
            CompletableFuture<Void> three = load(first, "c", first, "a", all);
            for (CompletableFuture<Void> each : List.of(one, two, three)) {
                assertThat(cause(each))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("key a of " + folder.resolve("first"))
                        .hasMessageContaining("key b of " + folder.resolve("second"))
                        .hasMessageContaining("key c of ");
            }
        }
    }

    /** A loader that catches the error continues, and so do the loaders that wait for it. */
    @Test
    void letsTheOthersLoadWhereOneGivesWay() {
        try (LarderMap<String, String> map = TestMaps.texts(folder)) {
            CyclicBarrier all = new CyclicBarrier(2);
            CompletableFuture<Void> one = givingWay(map, "egg", "hen", all);
            CompletableFuture<Void> two = givingWay(map, "hen", "egg", all);
            CompletableFuture.allOf(one, two).join();
            assertThat(map.values()).contains("gave way").hasSize(2);
        }
    }

    private static CompletableFuture<Void> givingWay(
            LarderMap<String, String> map, String key, String other, CyclicBarrier all) {
        return OtherThread.run(() -> Objects.requireNonNull(map.getOrLoad(key, same -> {
            await(all);
            try {
                return "of " + map.getOrLoad(other, _ -> "not loaded here");
            } catch (IllegalStateException e) {
                return "gave way";
            }
        })));
    }
}
