package dev.larder.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A call meets a method with the same types: its parameters go by name if both have the same names, else by order. */
final class MethodNamesTest {

    private static final Lookup OWN = MethodHandles.lookup();

    @TempDir
    Path directory;

    private final List<String> calls = new ArrayList<>();

    interface Moves extends AutoCloseable {
        void move(String from, String to, int count);

        @Override
        void close();
    }

    interface Swapped {
        void move(String to, String from, int count);
    }

    interface Renamed {
        void move(String source, String to, int count);
    }

    interface OfOtherType {
        void move(String count, String to, int from);
    }

    @BeforeEach
    void moveOnce() {
        try (LarderQueue queue = TestQueues.open(directory);
                Moves moves = queue.methodWriter(Moves.class, OWN)) {
            moves.move("a", "b", 7);
        }
    }

    private <T> List<String> read(Class<T> type, T handler) {
        try (LarderQueue queue = TestQueues.open(directory);
                MethodReader reader = queue.methodReader(queue.tailer(), type, handler, OWN)) {
            assertThat(reader.poll()).isTrue();
        }
        return calls;
    }

    @Test
    void parametersInAnotherOrderKeepTheirNames() {
        assertThat(read(Swapped.class, (to, from, count) -> calls.add(from + " to " + to + " " + count)))
                .containsExactly("a to b 7");
    }

    @Test
    void aRenamedParameterKeepsItsPlace() {
        assertThat(read(Renamed.class, (source, to, count) -> calls.add(source + " to " + to + " " + count)))
                .containsExactly("a to b 7");
    }

    /** By name, a text would become a number. */
    @Test
    void namesThatHaveOtherTypesDoNotCount() {
        assertThat(read(OfOtherType.class, (count, to, from) -> calls.add(count + " to " + to + " " + from)))
                .containsExactly("a to b 7");
    }
}
