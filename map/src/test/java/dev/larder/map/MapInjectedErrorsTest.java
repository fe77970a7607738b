package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.codec.ValueCodec;
import dev.larder.log.layer.Failpoints;
import dev.larder.log.layer.HookedOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** An error of the JVM at any named step of a change leaves no claim behind, and nothing half done. */
final class MapInjectedErrorsTest {

    @TempDir
    Path directory;

    /** Throws an error once, at one step. */
    private static final class Thrower implements Failpoints {

        private final String at;
        private final AtomicReference<@Nullable Error> armed = new AtomicReference<>();

        Thrower(String at) {
            this.at = at;
        }

        @Override
        public void reached(String step) {
            Error now = step.equals(at) ? armed.getAndSet(null) : null;
            if (now != null) {
                throw now;
            }
        }
    }

    static Stream<Arguments> cases() {
        return Stream.of("append.entered", "append.claimed", "map.claimed", "map.filled", "map.linked", "map.committed")
                .flatMap(step -> Stream.of(new StackOverflowError("test"), new OutOfMemoryError("test"))
                        .flatMap(error -> Stream.of(
                                Arguments.of(step, error, "put", (Consumer<LarderMap<String, Long>>)
                                        map -> map.put("a", 2L)),
                                Arguments.of(step, error, "remove", (Consumer<LarderMap<String, Long>>)
                                        map -> map.remove("a")),
                                Arguments.of(step, error, "compute", (Consumer<LarderMap<String, Long>>)
                                        map -> map.compute("a", (key, value) -> 2L)))));
    }

    @ParameterizedTest(name = "{2} at {0}: {1}")
    @MethodSource("cases")
    void leavesNothingBehind(String step, Error error, String name, Consumer<LarderMap<String, Long>> change) {
        Thrower thrower = new Thrower(step);
        try (LarderMap<String, Long> map = open(thrower)) {
            map.put("a", 1L);
            thrower.armed.set(error);
            assertThatThrownBy(() -> change.accept(map)).as(name).isSameAs(error);
            boolean made = step.equals("map.linked") || step.equals("map.committed");
            assertThat(map.get("a"))
                    .isEqualTo(made ? (name.equals("remove") ? null : Long.valueOf(2)) : Long.valueOf(1));
            map.put("a", 3L);
            map.sync();
            map.snapshot().close();
            map.checkpoint();
        }
        try (LarderMap<String, Long> map = open(Failpoints.NONE)) {
            assertThat(map.get("a")).isEqualTo(3L);
        }
    }

    private LarderMap<String, Long> open(Failpoints steps) {
        return LarderMap.open(
                directory,
                ValueCodec.texts(),
                ValueCodec.longs(),
                HookedOptions.withFailpoints(TestMaps.options(), steps));
    }

    /** An error of the caller's codec, function or handler fails only that call. */
    @Test
    void anInternalErrorOfTheCallersIsTheCallers() {
        InternalError theirs = new InternalError("theirs");
        try (LarderMap<String, Long> map = open(Failpoints.NONE)) {
            map.put("a", 1L);
            assertThatThrownBy(() -> map.compute("a", (key, value) -> {
                        throw theirs;
                    }))
                    .isSameAs(theirs);
            assertThatThrownBy(() -> map.read("a", (segment, offset, length) -> {
                        throw theirs;
                    }))
                    .isSameAs(theirs);
            assertThatThrownBy(() -> map.write("a", 8, (segment, offset, length) -> {
                        throw theirs;
                    }))
                    .isSameAs(theirs);
            assertThatThrownBy(() -> map.readAll(List.of("a"), (key, segment, offset, length) -> {
                        throw theirs;
                    }))
                    .isSameAs(theirs);
            assertThat(map.get("a")).isEqualTo(1L);
            map.put("a", 2L);
            map.sync();
        }
    }
}
