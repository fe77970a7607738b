package dev.larder.server.session;

import dev.larder.server.command.WaitingClient;
import dev.larder.server.dump.LongDump;
import dev.larder.server.dump.TransactionDumps;
import dev.larder.server.stream.UnnamedStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The wait of a session's client for keys to change. Meanwhile the session runs nothing, and later commands stay where they
 * were read. The wait ends with a reply, at its timeout, by another client's {@code CLIENT UNBLOCK}, or with the connection.
 */
final class Blocking implements WaitingClient {

    /** The error for a client whose wait another client has ended. */
    static final String UNBLOCKED = "UNBLOCKED client unblocked via CLIENT UNBLOCK";

    private final Session session;

    /** Null while the client does not wait. Set in the session's loop. */
    private volatile @Nullable Place place;

    private @Nullable Runnable stopTimeout;

    /** The stream that another thread makes for the command, which then runs again. */
    private @Nullable UnnamedStream kept;

    private @Nullable LongDump dump;

    private @Nullable TransactionDumps dumps;

    /** The reply that another thread has made. Set by that thread, before the command is run again. */
    private volatile byte @Nullable [] madeReply;

    Blocking(Session session) {
        this.session = session;
    }

    /** Returns whether the client waits. Any thread may call this. */
    boolean isOn() {
        return place != null;
    }

    @Override
    public void waits(Place at, long timeoutMillis) {
        place = at;
        if (timeoutMillis > 0) {
            stopTimeout = session.link().executeLater(() -> timeout(at), timeoutMillis);
        }
    }

    private void timeout(Place at) {
        if (at.leave()) {
            session.reply().nilArray();
            goOn();
        }
    }

    @Override
    public void served(byte[] reply, boolean uncommitted) {
        session.link().execute(() -> {
            session.reply().output().write(reply, 0, reply.length);
            if (reply[0] == '-') {
                session.runner().hasFailed(new String(reply, 1, reply.length - 3, StandardCharsets.UTF_8));
            }
            session.requireCommit(uncommitted);
            goOn();
        });
    }

    private void goOn() {
        session.noteUse(); // it may have waited for longer than an idle client may
        forget();
        session.client().countReplies();
        session.link().resume();
    }

    private void forget() {
        place = null;
        Runnable stop = stopTimeout;
        if (stop != null) {
            stopTimeout = null;
            stop.run();
        }
    }

    /** Ends the wait, as its timeout would or with an error; returns whether the client waited. Any thread may call this. */
    boolean unblock(boolean withError) {
        Place at = place;
        if (at == null || !at.leave()) {
            return false;
        }
        session.link().execute(() -> {
            if (withError) {
                session.reply().error(UNBLOCKED);
                session.runner().hasFailed(UNBLOCKED);
            } else {
                session.reply().nilArray();
            }
            goOn();
        });
        return true;
    }

    @Override
    public void keep(UnnamedStream stream) {
        kept = stream;
    }

    @Override
    public @Nullable UnnamedStream takeKept() {
        UnnamedStream taken = kept;
        kept = null;
        return taken;
    }

    @Override
    public void keep(LongDump made) {
        dump = made;
    }

    @Override
    public @Nullable LongDump takeDump() {
        LongDump taken = dump;
        dump = null;
        return taken;
    }

    @Override
    public void keepReply(byte[] made) {
        madeReply = made;
    }

    @Override
    public byte @Nullable [] takeReply() {
        byte @Nullable [] taken = madeReply;
        madeReply = null;
        return taken;
    }

    @Override
    public TransactionDumps dumps() {
        TransactionDumps there = dumps;
        if (there == null) {
            there = new TransactionDumps();
            dumps = there;
        }
        return there;
    }

    /** Removes what was made for a command that has not taken it. */
    void dropKept() {
        madeReply = null;
        LongDump unused = takeDump();
        if (unused != null) {
            unused.stop();
        }
        TransactionDumps ended = dumps;
        if (ended != null) {
            dumps = null;
            ended.stop();
        }
        UnnamedStream left = takeKept();
        if (left != null) {
            left.close();
        }
    }

    /** Ends the wait of a client that is gone. */
    void end() {
        dropKept();
        Place at = place;
        if (at != null) {
            at.leave();
            forget();
        }
    }
}
