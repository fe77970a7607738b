package dev.larder.lab.search;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/** Servers that give wrong answers: controls of the checks. */
final class LyingSearchTarget {

    private static final long ONE_IN = 10;

    private LyingSearchTarget() {}

    /** Gives one in ten searches another answer than for the same search before. */
    public static final class Sometimes {

        private Sometimes() {}

        public static void main(String[] arguments) throws IOException {
            AtomicLong answers = new AtomicLong();
            SearchTarget.serve((task, index) -> {
                long number = SearchTarget.number(index.search(task::run));
                return answers.incrementAndGet() % ONE_IN == 0 ? number + answers.get() : number;
            });
        }
    }

    /** Gives phrases other answers than any other server, but always the same ones. */
    public static final class Consistently {

        private Consistently() {}

        public static void main(String[] arguments) throws IOException {
            long own = ProcessHandle.current().pid();
            SearchTarget.serve((task, index) -> {
                long number = SearchTarget.number(index.search(task::run));
                return task.kind().label().equals("phrase") ? number ^ own : number;
            });
        }
    }
}
