package dev.larder.server.session;

import dev.larder.resp.Command;
import dev.larder.resp.CommandFlag;
import dev.larder.resp.Request;
import dev.larder.server.push.Receiver;
import dev.larder.server.push.Tracker;
import dev.larder.server.push.Tracking;
import dev.larder.server.store.Bytes;
import org.jspecify.annotations.Nullable;

/** How a session keeps copies of keys. Used by its loop, except {@link #tracker}. */
final class SessionTracking {

    private final Tracking tracking;
    private volatile @Nullable Tracker tracker;

    /** Whether {@code CLIENT CACHING} was given: the next command is then an exception from the mode. */
    private boolean excepted;

    SessionTracking(Tracking tracking) {
        this.tracking = tracking;
    }

    /** Returns what the client tracks; null if nothing. Any thread may call this. */
    @Nullable
    Tracker tracker() {
        return tracker;
    }

    boolean isExcepted() {
        return excepted;
    }

    void except() {
        excepted = true;
    }

    void endException() {
        excepted = false;
    }

    void begin(long client, Receiver receiver, Tracker.Settings settings) {
        Tracker now = tracker;
        if (now == null) {
            now = new Tracker(client, receiver);
            tracker = now;
        }
        tracking.begin(now, settings);
    }

    void end() {
        Tracker before = tracker;
        if (before != null) {
            tracker = null;
            tracking.end(before);
        }
        excepted = false;
    }

    /** Remembers the keys of a command that is about to read them. */
    void before(Command command, Request request) {
        Tracker now = tracker;
        if (now != null
                && command.is(CommandFlag.READONLY)
                && tracks(now.settings().mode())) {
            command.keys().forEach(request, argument -> tracking.remember(now, Bytes.of(request, argument)));
        }
    }

    private boolean tracks(Tracker.Mode mode) {
        return switch (mode) {
            case DEFAULT -> true;
            case OPTIN -> excepted;
            case OPTOUT -> !excepted;
            case BROADCAST -> false;
        };
    }

    /**
     * Ends the exception, behind the command or the transaction that it was for, even if that was refused.
     *
     * @param command the command; null if the server does not know it
     */
    void after(@Nullable Command command, boolean withinTransaction) {
        boolean keeps = command != null && command.name().startsWith("client");
        if (excepted && !withinTransaction && !keeps) {
            excepted = false;
        }
    }
}
