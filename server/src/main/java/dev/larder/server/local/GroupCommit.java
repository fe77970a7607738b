package dev.larder.server.local;

import dev.larder.log.FlightEvents;
import dev.larder.server.command.Database.Commit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A thread that syncs for all waiting commits. Commits that arrive during a sync share the next one. */
final class GroupCommit implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    private final Runnable sync;
    private final Thread thread;
    private List<Commit> waiting = new ArrayList<>();
    private boolean closed;

    GroupCommit(Runnable sync) {
        this.sync = sync;
        this.thread = Thread.ofPlatform().name("larder-commit").daemon().start(this::work);
    }

    /** Calls back after a sync that begins after this call. */
    void await(Commit commit) {
        synchronized (this) {
            if (!closed) {
                waiting.add(commit);
                notifyAll();
                return;
            }
        }
        commit.done(new IllegalStateException("the server stops"));
    }

    /** Goes on after any error, since no write would get its reply without this thread. */
    private void work() {
        while (true) {
            try {
                List<Commit> group = next();
                if (group.isEmpty()) {
                    return;
                }
                syncFor(group);
            } catch (RuntimeException | Error e) { // no memory for the next list: the commits still wait
                report("cannot sync: ", e);
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private void syncFor(List<Commit> group) {
        Throwable error = syncOnce(group.size());
        for (int i = 0; i < group.size(); i++) { // needs no memory
            tell(group.get(i), error);
        }
    }

    /** Calls one commit back. If that fails, the other commits are called and this thread continues: all writes wait for it. */
    private static void tell(Commit commit, @Nullable Throwable error) {
        try {
            commit.done(error);
        } catch (RuntimeException | Error e) {
            report("cannot tell a client that its sync has ended: ", e);
        }
    }

    private static void report(String failure, Throwable error) {
        try {
            LOGGER.log(System.Logger.Level.ERROR, failure + error, error);
        } catch (RuntimeException | Error e) { // no memory for the text
            Thread.onSpinWait();
        }
    }

    private @Nullable Throwable syncOnce(int sessions) {
        try {
            Optional<GroupCommitEvent> event = FlightEvents.ifRecorded(() -> GroupCommitEvent.start(sessions));
            @Nullable Throwable error = error();
            event.ifPresent(begun -> begun.finish(error != null));
            return error;
        } catch (RuntimeException | Error e) { // of the recording: the sync may not have run
            return error();
        }
    }

    private @Nullable Throwable error() {
        try {
            sync.run();
            return null;
        } catch (RuntimeException | Error e) {
            return e;
        }
    }

    /** Returns the waiting commits; none when the server stops. */
    private synchronized List<Commit> next() {
        while (waiting.isEmpty() && !closed) {
            try {
                wait();
            } catch (InterruptedException e) {
                closed = true; // an interrupt means that this thread shall end
            }
        }
        List<Commit> next = new ArrayList<>(); // first: without memory, the commits still wait
        List<Commit> group = waiting;
        waiting = next;
        return group;
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            notifyAll();
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
