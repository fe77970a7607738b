package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.codec.ValueCodec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The stack overflows somewhere inside a call of a map, hundreds of times. The map keeps working, and closes. */
@Tag("any-storage")
final class MapStackOverflowTest {

    private static final int ROUNDS = 25;
    private static final int OVERFLOWS = 10;
    private static final int KEYS = 100;
    private static final long STACK_BYTES = 160 << 10;

    @TempDir
    Path directory;

    private final Random random = new Random(28);

    static Stream<Arguments> calls() {
        return Stream.of(
                call("get", map -> map.get("k1")),
                call("getAll", map -> map.getAll(List.of("k1", "k2", "k3"))),
                call("put", map -> map.put("k5", 5L)),
                call("remove", map -> map.remove("k6")),
                call("compute", map -> map.compute("k7", (key, value) -> value == null ? 1 : value + 1)),
                call("getOrLoad", map -> map.getOrLoad("absent", key -> null)),
                call("iterate", map -> map.entrySet().iterator().next()),
                call("read", map -> map.read("k1", (segment, offset, length) -> {})));
    }

    private static Arguments call(String name, Consumer<LarderMap<String, Long>> call) {
        return Arguments.of(name, call);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("calls")
    void leavesNothingBehind(String name, Consumer<LarderMap<String, Long>> call) throws InterruptedException {
        LarderMap<String, Long> map =
                LarderMap.open(directory, ValueCodec.texts(), ValueCodec.longs(), TestMaps.options());
        for (int i = 0; i < KEYS; i++) {
            map.put("k" + i, (long) i);
        }
        for (int round = 0; round < ROUNDS; round++) {
            ends(name, () -> overflow(() -> call.accept(map)));
        }
        ends("get after " + name, () -> assertThat(map.get("k1")).isEqualTo(1L));
        ends("put after " + name, () -> map.put("k1", 2L));
        ends(
                "getOrLoad after " + name,
                () -> assertThat(map.getOrLoad("absent", key -> 3L)).isEqualTo(3L));
        ends(
                "getAll after " + name,
                () -> assertThat(map.getAll(List.of("k1", "k2"))).hasSize(2));
        ends(
                "iteration after " + name,
                () -> assertThat(map.entrySet().stream().count()).isGreaterThanOrEqualTo(KEYS - 1));
        ends("sync after " + name, map::sync);
        ends("snapshot after " + name, () -> map.snapshot().close());
        ends("checkpoint after " + name, map::checkpoint);
        ends("close after " + name, map::close);
    }

    private void overflow(Runnable call) {
        int step = 1 + random.nextInt(4);
        int overflows = 0;
        for (int depth = 20 + random.nextInt(300); overflows < OVERFLOWS; depth += step) {
            try {
                dive(depth, call);
            } catch (StackOverflowError e) {
                overflows++;
            }
        }
    }

    private static int dive(int depth, Runnable call) {
        if (depth == 0) {
            call.run();
            return 0;
        }
        return dive(depth - 1, call) + 1;
    }

    /** Runs a call on a thread with a small stack. The thread must end. */
    private static void ends(String what, Runnable call) throws InterruptedException {
        AtomicReference<@Nullable Throwable> met = new AtomicReference<>();
        Thread thread = new Thread(
                null,
                () -> {
                    try {
                        call.run();
                    } catch (Throwable e) {
                        met.set(e);
                    }
                },
                what,
                STACK_BYTES);
        thread.setDaemon(true);
        thread.start();
        thread.join(Duration.ofMinutes(1));
        assertThat(thread.isAlive())
                .as("%s hangs at %s", what, List.of(thread.getStackTrace()))
                .isFalse();
        assertThat(met.get()).as(what).isNull();
    }
}
