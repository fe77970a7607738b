package dev.larder.log.layer;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Locks by name, for the threads of this JVM. A name that no thread holds or waits for takes no memory: a process may open a
 * new directory every second.
 */
public final class Turns {

    private final Map<String, Turn> turns = new ConcurrentHashMap<>();

    /** A name whose lock a thread holds; closing it passes the lock to the next thread. */
    public final class Turn implements AutoCloseable {

        private final String name;
        private final ReentrantLock lock = new ReentrantLock();

        /** How many threads hold the lock or wait for it; changed under the map's lock of the name. */
        private int threads;

        private Turn(String name) {
            this.name = name;
        }

        @Override
        public void close() {
            lock.unlock();
            leave(name);
        }
    }

    /** Waits for the lock of a name. */
    public Turn take(String name) {
        Turn turn = enter(name);
        turn.lock.lock();
        return turn;
    }

    /**
     * Waits for the lock of a name; returns empty when the time is over. An interrupted thread fails only where it would have
     * to wait.
     */
    public Optional<Turn> take(String name, long seconds) throws InterruptedException {
        Turn turn = enter(name);
        boolean taken = false;
        try {
            taken = turn.lock.tryLock() || turn.lock.tryLock(seconds, TimeUnit.SECONDS);
        } finally {
            if (!taken) {
                leave(name);
            }
        }
        return taken ? Optional.of(turn) : Optional.empty();
    }

    private Turn enter(String name) {
        return turns.compute(name, (key, known) -> {
            Turn turn = known == null ? new Turn(key) : known;
            turn.threads++;
            return turn;
        });
    }

    private void leave(String name) {
        turns.computeIfPresent(name, (key, turn) -> --turn.threads == 0 ? null : turn);
    }

    /** Returns how many names threads hold, or wait for. */
    int count() {
        return turns.size();
    }
}
