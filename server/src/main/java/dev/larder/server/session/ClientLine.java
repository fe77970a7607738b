package dev.larder.server.session;

import dev.larder.server.client.ClientType;
import dev.larder.server.push.ChannelKind;
import dev.larder.server.push.Tracker;
import org.jspecify.annotations.Nullable;

/** A line of {@code CLIENT LIST}, with the fields of Redis 7.0 and, at its end, those of the library from 7.2. */
public final class ClientLine {

    private static final int MILLIS = 1000;

    /** About how many bytes a client takes that has no requests and replies. */
    private static final int BASE_BYTES = 2 << 10;

    private ClientLine() {}

    /** Returns the line of a session. The line of another session may be a moment old. */
    public static String of(Session session) {
        long now = System.currentTimeMillis();
        long pending = session.link().pendingBytes();
        ClientState client = session.client();
        return "id=" + session.id()
                + " addr=" + session.link().remoteAddress()
                + " laddr=" + session.link().localAddress()
                + " fd=" + session.link().number()
                + " name=" + client.name()
                + " age=" + (now - session.createdMillis()) / MILLIS
                + " idle=" + Math.max(0, now - session.lastMillis()) / MILLIS
                + " flags=" + flags(session)
                + " db=" + session.databaseIndex()
                + " sub=" + session.pushes().subscriptions().count(ChannelKind.CHANNEL)
                + " psub=" + session.pushes().subscriptions().count(ChannelKind.PATTERN)
                + " ssub=" + session.pushes().subscriptions().count(ChannelKind.SHARD)
                + " multi="
                + (session.transaction().isOpen() ? session.transaction().size() : -1)
                + memory(session, pending)
                + " events=" + (pending > 0 ? "rw" : "r")
                + " cmd=" + (session.lastCommand().isEmpty() ? "NULL" : session.lastCommand())
                + " user=" + session.user()
                + " redir="
                + TrackingCommands.redirect(session.pushes().tracking().tracker())
                + " resp=" + session.reply().version()
                + " lib-name=" + client.libraryName()
                + " lib-ver=" + client.libraryVersion();
    }

    private static String memory(Session session, long pending) {
        return " qbuf=" + session.queryBytes()
                + " qbuf-free=" + session.link().queryRoomBytes()
                + " argv-mem=0"
                + " multi-mem=" + session.transaction().sizeBytes()
                + " rbs=0 rbp=0 obl=0"
                + " oll=" + (pending > 0 ? 1 : 0)
                + " omem=" + pending
                + " tot-mem=" + memoryBytes(session);
    }

    /** Returns about how many bytes a client takes. */
    static long memoryBytes(Session session) {
        return BASE_BYTES
                + session.queryBytes()
                + session.link().queryRoomBytes()
                + session.link().pendingBytes()
                + session.pushes().inbox().sizeBytes()
                + session.argumentBytes()
                + session.transaction().sizeBytes()
                + session.transaction().watchedBytes()
                + session.pushes().subscriptions().sizeBytes()
                + prefixBytes(session.pushes().tracking().tracker());
    }

    private static long prefixBytes(@Nullable Tracker tracker) {
        return tracker == null ? 0 : tracker.prefixBytes();
    }

    private static String flags(Session session) {
        StringBuilder flags = new StringBuilder();
        append(flags, session.client().isMonitoring(), 'O');
        append(flags, session.pushes().type() == ClientType.PUBSUB, 'P');
        append(flags, session.transaction().isOpen(), 'x');
        append(flags, session.isBlocked(), 'b');
        @Nullable Tracker tracker = session.pushes().tracking().tracker();
        if (tracker != null) {
            append(flags, true, 't');
            append(flags, tracker.isBroken(), 'R');
            append(flags, tracker.settings().mode() == Tracker.Mode.BROADCAST, 'B');
        }
        append(flags, session.isClosing(), 'c');
        append(flags, session.client().isStaying(), 'e');
        return flags.isEmpty() ? "N" : flags.toString();
    }

    private static void append(StringBuilder flags, boolean set, char letter) {
        if (set) {
            flags.append(letter);
        }
    }
}
