package dev.larder.server.session;

import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.server.push.Tracker;
import dev.larder.server.push.Tracker.Mode;
import dev.larder.server.store.Bytes;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The options of {@code CLIENT TRACKING}, and which of them go together. Errors are those of Redis. */
final class TrackingOptions {

    private final List<Bytes> prefixes = new ArrayList<>();
    private long redirect;
    private boolean broadcast;
    private boolean optIn;
    private boolean optOut;
    private boolean withoutOwn;

    private TrackingOptions() {}

    static TrackingOptions parse(Session session, Request request) {
        TrackingOptions options = new TrackingOptions();
        int at = 3;
        while (at < request.count()) {
            at += options.take(session, request, at);
        }
        return options;
    }

    /** Takes an option; returns how many arguments it has. */
    private int take(Session session, Request request, int at) {
        boolean more = at + 1 < request.count();
        if (request.is(at, "redirect") && more) {
            redirectTo(session, request, at + 1);
            return 2;
        }
        if (request.is(at, "prefix") && more) {
            prefixes.add(Bytes.of(request, at + 1).copy());
            return 2;
        }
        if (request.is(at, "bcast")) {
            broadcast = true;
        } else if (request.is(at, "optin")) {
            optIn = true;
        } else if (request.is(at, "optout")) {
            optOut = true;
        } else if (request.is(at, "noloop")) {
            withoutOwn = true;
        } else {
            throw ReplyException.syntax();
        }
        return 1;
    }

    private void redirectTo(Session session, Request request, int at) {
        if (redirect != 0) {
            throw new ReplyException("ERR A client can only redirect to a single other client");
        }
        if (!request.isInteger(at)) {
            throw ReplyException.notInteger();
        }
        redirect = request.integer(at);
        if (!session.node().sessions().containsKey(redirect)) {
            throw new ReplyException("ERR The client ID you want redirect to does not exist");
        }
    }

    /** Returns the mode, which must agree with the previous one, if any. */
    Mode mode(@Nullable Mode before) {
        if (!broadcast && !prefixes.isEmpty()) {
            throw new ReplyException("ERR PREFIX option requires BCAST mode to be enabled");
        }
        if (before != null && broadcast != (before == Mode.BROADCAST)) {
            throw new ReplyException("ERR You can't switch BCAST mode on/off before disabling tracking for this client,"
                    + " and then re-enabling it with a different mode.");
        }
        if (broadcast && (optIn || optOut)) {
            throw new ReplyException("ERR OPTIN and OPTOUT are not compatible with BCAST");
        }
        if (optIn && optOut) {
            throw new ReplyException("ERR You can't specify both OPTIN mode and OPTOUT mode");
        }
        if (before != null && ((optIn && before == Mode.OPTOUT) || (optOut && before == Mode.OPTIN))) {
            throw new ReplyException("ERR You can't switch OPTIN/OPTOUT mode before disabling tracking for this client,"
                    + " and then re-enabling it with a different mode.");
        }
        if (broadcast) {
            return Mode.BROADCAST;
        }
        return optIn ? Mode.OPTIN : optOut ? Mode.OPTOUT : Mode.DEFAULT;
    }

    /** Refuses prefixes if one begins with another: a key would be sent twice. */
    void requireApart(List<Bytes> existing) {
        for (int i = 0; i < prefixes.size(); i++) {
            Bytes prefix = prefixes.get(i);
            for (Bytes other : existing) {
                requireApart(prefix, other, "an existing prefix");
            }
            for (Bytes other : prefixes.subList(i + 1, prefixes.size())) {
                requireApart(prefix, other, "another provided prefix");
            }
        }
    }

    private static void requireApart(Bytes prefix, Bytes other, String what) {
        if (Tracker.begins(prefix, other) || Tracker.begins(other, prefix)) {
            throw new ReplyException("ERR Prefix '" + prefix + "' overlaps with " + what + " '" + other
                    + "'. Prefixes for a single client must not overlap.");
        }
    }

    long redirect() {
        return redirect;
    }

    boolean withoutOwn() {
        return withoutOwn;
    }

    List<Bytes> prefixes() {
        return prefixes;
    }
}
