package dev.larder.server.session;

import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.server.push.Tracker;
import dev.larder.server.push.Tracker.Mode;
import dev.larder.server.push.Tracker.Settings;
import dev.larder.server.store.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code CLIENT TRACKING} and related commands. */
final class TrackingCommands {

    private TrackingCommands() {}

    static Map<String, SessionHandler> all() {
        return Map.of(
                "client|caching", TrackingCommands::caching,
                "client|getredir", TrackingCommands::redirect,
                "client|tracking", TrackingCommands::tracking,
                "client|trackinginfo", TrackingCommands::info);
    }

    private static void tracking(Session session, Request request) {
        TrackingOptions options = TrackingOptions.parse(session, request);
        if (request.is(2, "off")) {
            session.pushes().tracking().end();
        } else if (request.is(2, "on")) {
            session.pushes().tracking().begin(session.id(), session.pushes().inbox(), settings(session, options));
        } else {
            throw ReplyException.syntax();
        }
        session.reply().ok();
    }

    private static Settings settings(Session session, TrackingOptions options) {
        @Nullable Tracker tracker = session.pushes().tracking().tracker();
        @Nullable Settings before = tracker == null ? null : tracker.settings();
        Mode mode = options.mode(before == null ? null : before.mode());
        List<Bytes> prefixes = new ArrayList<>();
        if (mode == Mode.BROADCAST) {
            if (before != null) {
                prefixes.addAll(before.prefixes());
            }
            options.requireApart(prefixes);
            prefixes.addAll(options.prefixes().isEmpty() ? List.of(Bytes.of("")) : options.prefixes());
        }
        return new Settings(
                mode,
                options.redirect(),
                options.withoutOwn(),
                prefixes.stream().distinct().toList());
    }

    private static void caching(Session session, Request request) {
        Tracker tracker = session.pushes().tracking().tracker();
        if (tracker == null) {
            throw new ReplyException("ERR CLIENT CACHING can be called only when the client is in tracking mode with"
                    + " OPTIN or OPTOUT mode enabled");
        }
        if (request.is(2, "yes")) {
            require(tracker.settings().mode() == Mode.OPTIN, "YES", "OPTIN");
        } else if (request.is(2, "no")) {
            require(tracker.settings().mode() == Mode.OPTOUT, "NO", "OPTOUT");
        } else {
            throw ReplyException.syntax();
        }
        session.pushes().tracking().except();
        session.reply().ok();
    }

    private static void require(boolean right, String word, String mode) {
        if (!right) {
            throw new ReplyException(
                    "ERR CLIENT CACHING " + word + " is only valid when tracking is enabled in " + mode + " mode.");
        }
    }

    private static void redirect(Session session, Request request) {
        session.reply().integer(redirect(session.pushes().tracking().tracker()));
    }

    /** Returns the client that gets the messages; 0 for the client itself, -1 if nothing is tracked. */
    static long redirect(@Nullable Tracker tracker) {
        return tracker == null ? -1 : tracker.settings().redirect();
    }

    private static void info(Session session, Request request) {
        Tracker tracker = session.pushes().tracking().tracker();
        ReplyEncoder reply = session.reply();
        List<String> flags = flags(tracker, session.pushes().tracking().isExcepted());
        reply.map(3);
        reply.text("flags");
        reply.set(flags.size());
        flags.forEach(reply::text);
        reply.text("redirect");
        reply.integer(redirect(tracker));
        reply.text("prefixes");
        List<Bytes> prefixes = tracker == null ? List.of() : tracker.settings().prefixes();
        reply.array(prefixes.size());
        prefixes.stream().sorted().forEach(prefix -> reply.bulk(prefix.toArray()));
    }

    private static List<String> flags(@Nullable Tracker tracker, boolean excepted) {
        List<String> flags = new ArrayList<>();
        if (tracker == null) {
            flags.add("off");
            return flags;
        }
        flags.add("on");
        switch (tracker.settings().mode()) {
            case DEFAULT -> {}
            case BROADCAST -> flags.add("bcast");
            case OPTIN -> {
                flags.add("optin");
                if (excepted) {
                    flags.add("caching-yes");
                }
            }
            case OPTOUT -> {
                flags.add("optout");
                if (excepted) {
                    flags.add("caching-no");
                }
            }
        }
        if (tracker.settings().withoutOwn()) {
            flags.add("noloop");
        }
        if (tracker.isBroken()) {
            flags.add("broken_redirect");
        }
        return flags;
    }
}
