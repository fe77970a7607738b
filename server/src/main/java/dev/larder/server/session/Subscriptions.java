package dev.larder.server.session;

import dev.larder.resp.Command;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.ReplyException;
import dev.larder.server.push.BrokenRedirect;
import dev.larder.server.push.ChannelKind;
import dev.larder.server.push.ChannelMessage;
import dev.larder.server.push.Channels;
import dev.larder.server.push.Invalidation;
import dev.larder.server.push.Push;
import dev.larder.server.push.Receiver;
import dev.larder.server.store.Bytes;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The channels and patterns that a client has subscribed to. Used by the session's loop, except the counts. */
final class Subscriptions {

    /** The commands that a client of RESP2 may run while it has subscriptions. */
    private static final Set<String> ALLOWED = Set.of(
            "ping",
            "psubscribe",
            "punsubscribe",
            "quit",
            "reset",
            "ssubscribe",
            "subscribe",
            "sunsubscribe",
            "unsubscribe");

    private final Channels channels;
    private final Set<Bytes> names = new LinkedHashSet<>();
    private final Set<Bytes> patterns = new LinkedHashSet<>();
    private final Set<Bytes> shard = new LinkedHashSet<>();

    /** About how many bytes a subscription takes besides its channel or pattern, here and in the table of all clients. */
    private static final int SUBSCRIPTION_BYTES = 250;

    /** The number of subscriptions of all kinds, for the check before each command. */
    private int total;

    private long bytes;

    Subscriptions(Channels channels) {
        this.channels = channels;
    }

    private Set<Bytes> of(ChannelKind kind) {
        return switch (kind) {
            case CHANNEL -> names;
            case PATTERN -> patterns;
            case SHARD -> shard;
        };
    }

    /** Returns the number of subscriptions of a kind. Another thread may see an earlier count. */
    int count(ChannelKind kind) {
        return of(kind).size();
    }

    /** Returns about how many bytes the subscriptions take. Another thread may see an earlier number. */
    long sizeBytes() {
        return bytes;
    }

    boolean isEmpty() {
        return total == 0;
    }

    boolean contains(ChannelKind kind, Bytes source) {
        return of(kind).contains(source);
    }

    /** Returns all subscriptions of a kind. */
    List<Bytes> all(ChannelKind kind) {
        return List.copyOf(of(kind));
    }

    /** Adds a subscription, and writes the reply. */
    void add(ChannelKind kind, Bytes source, Receiver receiver, ReplyEncoder reply) {
        if (of(kind).add(source)) {
            total++;
            bytes += SUBSCRIPTION_BYTES + source.length();
            channels.subscribe(kind, source, receiver);
        }
        confirm(kind, kind.subscribed(), source, reply);
    }

    /** Removes a subscription, so that no message is sent to it any more. */
    void remove(ChannelKind kind, Bytes source, Receiver receiver) {
        if (of(kind).contains(source)) {
            channels.unsubscribe(kind, source, receiver);
        }
    }

    /** Forgets a subscription that was removed, and writes the reply. */
    void forget(ChannelKind kind, Bytes source, ReplyEncoder reply) {
        if (of(kind).remove(source)) {
            total--;
            bytes -= SUBSCRIPTION_BYTES + source.length();
        }
        confirm(kind, kind.unsubscribed(), source, reply);
    }

    /** Writes the reply to the end of all subscriptions of a kind if there are none. */
    void confirmNone(ChannelKind kind, ReplyEncoder reply) {
        reply.push(3);
        reply.text(kind.unsubscribed());
        reply.nil();
        reply.integer(shown(kind));
    }

    private void confirm(ChannelKind kind, String word, Bytes source, ReplyEncoder reply) {
        reply.push(3);
        reply.text(word);
        reply.bulk(source.array());
        reply.integer(shown(kind));
    }

    private long shown(ChannelKind kind) {
        return kind == ChannelKind.SHARD ? shard.size() : names.size() + patterns.size();
    }

    /** Returns whether the client takes a push: its subscription may have ended, and RESP2 has no other pushes. */
    boolean takes(Push push, int version) {
        return switch (push) {
            case ChannelMessage message -> contains(message.kind(), message.source());
            case Invalidation message -> version == 3 || (message.redirected() && !isEmpty());
            case BrokenRedirect message -> version == 3;
            default -> true;
        };
    }

    /** Ends all subscriptions without a reply. */
    void clear(Receiver receiver) {
        if (total == 0) {
            return;
        }
        total = 0;
        bytes = 0;
        for (ChannelKind kind : ChannelKind.values()) {
            of(kind).forEach(source -> channels.unsubscribe(kind, source, receiver));
            of(kind).clear();
        }
    }

    /**
     * Refuses a command that a client of RESP2 cannot run now: the client could not tell the reply from a message.
     *
     * @throws ReplyException if the command is refused
     */
    void require(Command command, int version) {
        if (version == 2 && !isEmpty() && !ALLOWED.contains(command.name())) {
            throw new ReplyException("ERR Can't execute '" + command.name()
                    + "': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT / RESET are allowed in this context");
        }
    }
}
