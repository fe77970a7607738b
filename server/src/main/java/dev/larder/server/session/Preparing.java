package dev.larder.server.session;

import dev.larder.resp.ProtocolException;
import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.resp.RequestParser;
import dev.larder.server.access.Permissions;
import dev.larder.server.command.Database.Upcoming;
import dev.larder.server.command.InputPosition;
import dev.larder.server.command.NotReadyException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A command of a session that waits for a record from the disk, or for room. Other threads wait; then the session's loop runs
 * the command again. Meanwhile the session runs nothing, so all its commands take effect in their order.
 *
 * <pre>
 * GET a | GET b | SET c | ...      GET a: not in memory
 *         \_______________/        the keys of the next commands are loaded together with a
 * </pre>
 */
final class Preparing {

    /** How many bytes of commands behind the waiting one are examined: they are copied, and an entry of an array has no more. */
    private static final int AHEAD_BYTES = 512 << 10;

    /** How often a command is run again before it waits in the loop. */
    private static final int ATTEMPTS = 16;

    private final Session session;
    private @Nullable Runnable command;
    private int attempts;

    /** What the command waits for. */
    private @Nullable NotReadyException met;

    /** The commands behind the waiting one that the database knows already. They are kept, so that each is copied once. */
    private final Deque<Upcoming> ahead = new ArrayDeque<>();

    /** Where these commands end, as {@link InputPosition#end}. */
    private long toldTo;

    /** The user's permissions when these commands were examined. */
    private @Nullable Permissions permissions;

    /** The wait for a time alone; null if there is none. Set in the session's loop. */
    private volatile @Nullable Delay delay;

    /** Stops the timer of that wait; null if there is none. Used by the session's loop. */
    private @Nullable Runnable stopDelay;

    /** A wait for a time, which ends once: at that time, or before. */
    private static final class Delay {

        private final AtomicBoolean ended = new AtomicBoolean();

        boolean end() {
            return ended.compareAndSet(false, true);
        }
    }

    Preparing(Session session) {
        this.session = session;
    }

    /** Returns whether a command waits. */
    boolean isOn() {
        return command != null;
    }

    /** Returns whether a command waits for a time alone. Any thread may call this. */
    boolean isTimed() {
        return delay != null;
    }

    /**
     * Makes a command wait.
     *
     * @param again runs it again; its arguments are kept
     * @param unread the bytes that the client has sent behind it
     */
    void begin(NotReadyException met, Runnable again, @Nullable ByteBuffer unread) {
        command = again;
        attempts = 0;
        prepare(met, unread == null || !met.looksAhead() ? List.of() : all(unread));
    }

    /**
     * Tells the database about input that has come while a command waits.
     *
     * @param unread all that the client has sent behind that command
     */
    void arrived(ByteBuffer unread) {
        NotReadyException waitsFor = met;
        if (waitsFor == null) {
            ahead.clear(); // nothing waits, and a client at rest keeps no copies
            return;
        }
        if (waitsFor.looksAhead() && session.database().hearsOfArrivals()) {
            List<Upcoming> next = next(unread);
            if (!next.isEmpty()) {
                session.database().arrived(next);
            }
        }
    }

    /** Makes the session wait for a time, and then reply. */
    void delay(long millis, Runnable reply) {
        command = reply;
        attempts = 0;
        Delay begun = new Delay();
        delay = begun;
        stopDelay = session.link().executeLater(() -> end(begun, null), millis);
    }

    private boolean end(Delay begun, @Nullable ReplyException error) {
        boolean ends = begun.end();
        if (ends) {
            session.link().execute(() -> {
                forgetDelay();
                prepared(error);
            });
        }
        return ends;
    }

    /** Ends a wait for a time early, with its reply or an error; returns whether there was one. Any thread may call this. */
    boolean endDelay(@Nullable ReplyException error) {
        Delay now = delay;
        return now != null && end(now, error);
    }

    private void forgetDelay() {
        delay = null;
        Runnable stop = stopDelay;
        if (stop != null) {
            stopDelay = null;
            stop.run();
        }
    }

    /** Ends the wait for a time of a client that is gone: its timer keeps the session. */
    void end() {
        forgetDelay();
    }

    private void prepare(NotReadyException met, List<Upcoming> next) {
        this.met = met;
        try {
            session.database().prepare(met, next, error -> session.link().execute(() -> prepared(met, error)));
        } catch (RuntimeException | Error e) { // no thread can be started, say: nothing else would wake the session
            session.link().execute(() -> prepared(met, e));
        }
    }

    private void prepared(NotReadyException waited, @Nullable Throwable error) {
        if (met == waited) { // else its end was reported already
            prepared(error);
        }
    }

    /** Returns the commands behind the one that waits, up to the first that is not about keys, or may not be run. */
    private List<Upcoming> all(ByteBuffer unread) {
        long end = session.input().end();
        Permissions now = session.authority().user().permissions();
        if (now != permissions || session.node().pause().isOn()) {
            ahead.clear();
            permissions = now;
        }
        while (!ahead.isEmpty() && ahead.getFirst().end() <= end) {
            ahead.removeFirst();
        }
        toldTo = ahead.isEmpty() ? end : ahead.getLast().end();
        next(unread);
        return List.copyOf(ahead);
    }

    /** Returns those of them that were not examined before. */
    private List<Upcoming> next(ByteBuffer unread) {
        List<Upcoming> next = new ArrayList<>();
        long end = session.input().end();
        int most = session.database().aheadMost();
        ByteBuffer in = unread.duplicate();
        in.position(unread.position() + (int) (toldTo - end));
        RequestParser parser = new RequestParser(session.node().limits());
        Request request = new Request();
        boolean isTracked = session.pushes().tracking().tracker() != null;
        try {
            while (ahead.size() < most && toldTo - end < AHEAD_BYTES && parser.parse(in, request)) {
                if (request.count() > 0) {
                    KnownCommand known = session.node().commands().find(request);
                    if (!session.runner().mayRun(known, request)) {
                        return next;
                    }
                    toldTo = end + in.position() - unread.position();
                    Upcoming command = new Upcoming(session.runner().call(known, request.copy()), toldTo, isTracked);
                    ahead.addLast(command);
                    next.add(command);
                }
            }
        } catch (ProtocolException | ReplyException e) { // the session reports it when it comes there
            return next;
        }
        return next;
    }

    private void prepared(@Nullable Throwable error) {
        try {
            if (error == null) {
                run(Objects.requireNonNull(command));
            } else {
                session.reply().error(session.runner().giveUp(error));
            }
        } catch (NotReadyException e) {
            boolean hears = session.database().hearsOfArrivals();
            prepare(e, hears && e.looksAhead() ? List.copyOf(ahead) : List.of());
            if (hears) {
                session.link().resume(); // later commands may go with what this one waits for now
            }
            return;
        }
        command = null;
        met = null;
        session.noteUse(); // it may have waited for longer than an idle client may
        session.runner().hasReplied();
        session.link().resume();
    }

    private void run(Runnable again) {
        int before = session.reply().output().sizeBytes();
        try {
            if (++attempts < ATTEMPTS) {
                again.run();
            } else {
                session.database().patiently(again);
            }
        } catch (NotReadyException e) {
            throw e;
        } catch (RuntimeException | StackOverflowError e) {
            session.runner().takeBack(before);
            fail(e);
        }
    }

    private void fail(Throwable error) {
        String line = error instanceof ReplyException refusal
                ? refusal.line()
                : session.runner().lineOf(error);
        session.reply().error(line);
    }
}
