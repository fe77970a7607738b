package dev.larder.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

/** A task that runs at most once at a time. */
final class SingleRunTest {

    private final List<Runnable> begun = new ArrayList<>();
    private int runs;

    /** Regression: the task never ran again. */
    @Test
    void aTaskForWhichNoThreadStartedIsBegunLater() {
        Executor first = task -> {
            throw new OutOfMemoryError("unable to create native thread");
        };
        List<Executor> threads = new ArrayList<>(List.of(first, Runnable::run));
        SingleRun task = new SingleRun(run -> threads.removeFirst().execute(run), () -> runs++);
        assertThatThrownBy(task::begin).isInstanceOf(OutOfMemoryError.class);
        task.begin();
        assertThat(runs).isOne();
    }

    @Test
    void aTaskThatIsUnderWayIsNotBegunAgain() {
        SingleRun task = new SingleRun(begun::add, () -> runs++);
        task.begin();
        task.begin();
        assertThat(begun).hasSize(1);
        begun.getFirst().run();
        task.begin();
        assertThat(begun).hasSize(2);
    }

    @Test
    void aTaskThatFailsIsBegunAgain() {
        SingleRun task = new SingleRun(Runnable::run, () -> {
            runs++;
            throw new IllegalStateException("injected");
        });
        for (int i = 1; i < 3; i++) {
            assertThatThrownBy(task::begin).isInstanceOf(IllegalStateException.class);
            assertThat(runs).isEqualTo(i);
        }
    }
}
