package dev.larder.server.session;

import dev.larder.resp.ProtocolException;
import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.resp.RequestParser;
import dev.larder.server.command.Database.Upcoming;
import dev.larder.server.command.InputPosition;
import dev.larder.server.command.NotReadyException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A command of a session that waits for a record from the disk, or for room. Other threads wait; then the session's loop runs
 * the command again. Meanwhile the session runs nothing, so all its commands take effect in their order.
 *
 * <pre>
 * GET a | GET b | SET c | ...      GET a: not in memory
 *         \_______________/        the keys of the next commands are brought in together with a
 * </pre>
 */
final class Preparing {

    /** How many commands behind the one that waits have their keys brought in with it. */
    private static final int AHEAD = 63;

    /** How often a command is run again, until it waits in the loop. */
    private static final int ATTEMPTS = 16;

    private final Session session;
    private @Nullable Runnable command;
    private int attempts;

    /** What the command waits for. */
    private @Nullable NotReadyException met;

    /** Up to where the database has heard of what is behind the command, as {@link InputPosition#end}, and of how many commands. */
    private long toldTo;

    private int told;

    /** The command waits for a time alone. */
    private boolean timed;

    Preparing(Session session) {
        this.session = session;
    }

    /** Returns whether a command waits. */
    boolean isOn() {
        return command != null;
    }

    /** Returns whether the command that waits does so for a time alone. */
    boolean isTimed() {
        return timed;
    }

    /**
     * Has a command wait.
     *
     * @param again runs it again; its arguments are kept
     * @param unread what the client has sent behind it
     */
    void begin(NotReadyException met, Runnable again, @Nullable ByteBuffer unread) {
        command = again;
        attempts = 0;
        timed = false;
        toldTo = session.input().end();
        told = 0;
        prepare(met, unread == null || !met.looksAhead() ? List.of() : next(unread));
    }

    /**
     * Tells the database of what has come while a command waits.
     *
     * @param unread all that the client has sent behind that command
     */
    void arrived(ByteBuffer unread) {
        NotReadyException waitsFor = met;
        if (waitsFor != null && waitsFor.looksAhead() && session.database().hearsOfArrivals()) {
            List<Upcoming> next = next(unread);
            if (!next.isEmpty()) {
                session.database().arrived(next);
            }
        }
    }

    /** Has the session wait for a time, and then reply. */
    void delay(long millis, Runnable reply) {
        command = reply;
        attempts = 0;
        timed = true;
        CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS)
                .execute(() -> session.link().execute(() -> prepared(null)));
    }

    private void prepare(NotReadyException met, List<Upcoming> next) {
        this.met = met;
        session.database().prepare(met, next, error -> session.link().execute(() -> prepared(error)));
    }

    /**
     * Returns the commands behind the one that waits, up to the first that is not about keys, or may not be run. Those that were
     * returned before are left out.
     */
    private List<Upcoming> next(ByteBuffer unread) {
        List<Upcoming> next = new ArrayList<>();
        long end = session.input().end();
        ByteBuffer in = unread.duplicate();
        in.position(unread.position() + (int) (toldTo - end));
        RequestParser parser = new RequestParser(session.node().limits());
        Request request = new Request();
        boolean isTracked = session.pushes().tracking().tracker() != null;
        try {
            while (told < AHEAD && parser.parse(in, request)) {
                if (request.count() > 0) {
                    KnownCommand known = session.node().commands().find(request);
                    if (!session.runner().mayRun(known, request)) {
                        return next;
                    }
                    toldTo = end + in.position() - unread.position();
                    told++;
                    next.add(new Upcoming(session.runner().call(known, request.copy()), toldTo, isTracked));
                }
            }
        } catch (ProtocolException | ReplyException e) { // the session meets it when it comes there
            return next;
        }
        return next;
    }

    private void prepared(@Nullable Throwable error) {
        try {
            if (error == null) {
                run(Objects.requireNonNull(command));
            } else {
                session.runner().giveUp();
                fail(error);
            }
        } catch (NotReadyException e) {
            prepare(e, List.of());
            if (session.database().hearsOfArrivals()) {
                session.link().resume(); // what is behind the command may go with what it waits for now
            }
            return;
        }
        command = null;
        met = null;
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
