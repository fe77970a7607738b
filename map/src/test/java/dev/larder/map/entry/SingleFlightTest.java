package dev.larder.map.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.tests.support.OtherThread;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Loads whose end the JVM has cut short, as by a stack overflow: the next call for the key loads it again. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class SingleFlightTest {

    private static final ByteBuffer BYTES = ByteBuffer.wrap(new byte[] {1});

    /** A table that fails to remove the first load that has ended. */
    private static final class Overflowing<V> extends ConcurrentHashMap<ByteBuffer, SingleFlight.Load<V>> {

        private static final long serialVersionUID = 1;

        private boolean armed = true;

        @Override
        public boolean remove(Object key, Object value) {
            if (armed) {
                armed = false;
                throw new StackOverflowError("injected");
            }
            return super.remove(key, value);
        }
    }

    private final Overflowing<String> running = new Overflowing<>();
    private final SingleFlight<String> flight = new SingleFlight<>(Path.of("map"), running);

    private String load(Supplier<String> loader) {
        return flight.load("key", BYTES, loader);
    }

    private void overflow(Supplier<String> loader) {
        assertThatThrownBy(() -> load(loader)).isInstanceOf(StackOverflowError.class);
        assertThat(running).isNotEmpty();
    }

    @Test
    void loadsAgainWhereAnEarlierValueWasLeft() {
        overflow(() -> "old");
        assertThat(OtherThread.call(() -> load(() -> "new")).join()).isEqualTo("new");
        assertThat(running).isEmpty();
    }

    @Test
    void loadsAgainWhereAnEarlierErrorWasLeft() {
        overflow(() -> {
            throw new IllegalStateException("of the first");
        });
        assertThat(load(() -> "new")).isEqualTo("new");
        assertThat(running).isEmpty();
    }

    /** The error came before the load could record its result. */
    @Test
    void loadsAgainWhereALoadOfThisThreadHasEndedWithoutAWord() {
        SingleFlight.Load<String> left = new SingleFlight.Load<>("key", Path.of("map"));
        left.ended = true;
        running.put(BYTES, left);
        running.armed = false;
        assertThat(load(() -> "new")).isEqualTo("new");
        assertThat(running).isEmpty();
    }
}
