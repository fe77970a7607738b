package dev.larder.server.session;

import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.Request;
import dev.larder.server.push.ChannelKind;
import dev.larder.server.push.Channels;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.GlobPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The commands of publish and subscribe. */
final class ChannelCommands {

    private ChannelCommands() {}

    static Map<String, SessionHandler> all() {
        return Map.ofEntries(
                Map.entry("psubscribe", (session, request) -> subscribe(session, request, ChannelKind.PATTERN)),
                Map.entry("publish", (session, request) -> publish(session, request, false)),
                Map.entry("pubsub|channels", (session, request) -> active(session, request, ChannelKind.CHANNEL)),
                Map.entry(
                        "pubsub|numpat",
                        (session, request) -> session.reply()
                                .integer(session.node().channels().patterns())),
                Map.entry("pubsub|numsub", (session, request) -> counts(session, request, ChannelKind.CHANNEL)),
                Map.entry("pubsub|shardchannels", (session, request) -> active(session, request, ChannelKind.SHARD)),
                Map.entry("pubsub|shardnumsub", (session, request) -> counts(session, request, ChannelKind.SHARD)),
                Map.entry("punsubscribe", (session, request) -> unsubscribe(session, request, ChannelKind.PATTERN)),
                Map.entry("spublish", (session, request) -> publish(session, request, true)),
                Map.entry("ssubscribe", ChannelCommands::subscribeToShard),
                Map.entry("subscribe", (session, request) -> subscribe(session, request, ChannelKind.CHANNEL)),
                Map.entry("sunsubscribe", (session, request) -> unsubscribe(session, request, ChannelKind.SHARD)),
                Map.entry("unsubscribe", (session, request) -> unsubscribe(session, request, ChannelKind.CHANNEL)));
    }

    private static void publish(Session session, Request request, boolean toShard) {
        Channels channels = session.node().channels();
        Bytes channel = Bytes.of(request, 1);
        Bytes message = Bytes.of(request, 2);
        session.reply()
                .integer(toShard ? channels.publishToShard(channel, message) : channels.publish(channel, message));
    }

    private static void subscribe(Session session, Request request, ChannelKind kind) {
        Pushes pushes = session.pushes();
        for (int i = 1; i < request.count(); i++) {
            Bytes source = Bytes.of(request.bytes(i));
            pushes.unsilenced(() -> pushes.subscriptions().add(kind, source, pushes.inbox(), session.reply()));
        }
    }

    private static void subscribeToShard(Session session, Request request) {
        session.runner().requireNotExecuting("SSUBSCRIBE isn't allowed for a DENY BLOCKING client");
        subscribe(session, request, ChannelKind.SHARD);
    }

    /** Messages that were published before the end of a subscription are sent before its reply. */
    private static void unsubscribe(Session session, Request request, ChannelKind kind) {
        Subscriptions subscriptions = session.pushes().subscriptions();
        List<Bytes> sources = request.count() == 1 ? subscriptions.all(kind) : arguments(request);
        if (sources.isEmpty()) {
            session.pushes().unsilenced(() -> subscriptions.confirmNone(kind, session.reply()));
            return;
        }
        if (subscriptions.count(kind) > 0) {
            sources.forEach(source ->
                    subscriptions.remove(kind, source, session.pushes().inbox()));
            session.writePushes();
        }
        session.pushes()
                .unsilenced(() -> sources.forEach(source -> subscriptions.forget(kind, source, session.reply())));
    }

    private static List<Bytes> arguments(Request request) {
        List<Bytes> all = new ArrayList<>();
        for (int i = 1; i < request.count(); i++) {
            all.add(Bytes.of(request.bytes(i)));
        }
        return all;
    }

    private static void active(Session session, Request request, ChannelKind kind) {
        if (request.count() > 3) {
            throw HelpText.wrongArguments("PUBSUB", request.text(1));
        }
        @Nullable GlobPattern pattern = request.count() == 3 ? new GlobPattern(Bytes.of(request, 2)) : null;
        reply(session.reply(), session.node().channels().active(kind, pattern));
    }

    private static void reply(ReplyEncoder reply, List<Bytes> channels) {
        reply.array(channels.size());
        channels.forEach(channel -> reply.bulk(channel.array()));
    }

    private static void counts(Session session, Request request, ChannelKind kind) {
        ReplyEncoder reply = session.reply();
        reply.array(2L * (request.count() - 2));
        for (int i = 2; i < request.count(); i++) {
            Bytes channel = Bytes.of(request, i);
            reply.bulk(request.buffer(), request.offset(i), request.length(i));
            reply.integer(session.node().channels().receivers(kind, channel));
        }
    }
}
