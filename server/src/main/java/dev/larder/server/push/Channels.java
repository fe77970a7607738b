package dev.larder.server.push;

import dev.larder.server.store.Bytes;
import dev.larder.server.store.GlobPattern;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The receivers of each channel and pattern. Publishing takes no lock: it passes a message to each receiver, whose loop sends
 * it. Messages of one thread reach each receiver in the order of their publication. Thread-safe.
 */
public final class Channels {

    /** The receivers of a pattern. */
    private record Pattern(GlobPattern glob, Set<Receiver> receivers) {}

    private final Map<Bytes, Set<Receiver>> channels = new ConcurrentHashMap<>();
    private final Map<Bytes, Set<Receiver>> shardChannels = new ConcurrentHashMap<>();
    private final Map<Bytes, Pattern> patterns = new ConcurrentHashMap<>();

    /** Creates channels without receivers. */
    public Channels() {}

    /** Adds a receiver. The channel or pattern must have an array of its own. */
    public void subscribe(ChannelKind kind, Bytes source, Receiver receiver) {
        if (kind == ChannelKind.PATTERN) {
            patterns.compute(source, (key, old) -> {
                Pattern pattern = old == null ? new Pattern(new GlobPattern(key), ConcurrentHashMap.newKeySet()) : old;
                pattern.receivers.add(receiver);
                return pattern;
            });
        } else {
            table(kind).compute(source, (key, old) -> {
                Set<Receiver> receivers = old == null ? ConcurrentHashMap.newKeySet() : old;
                receivers.add(receiver);
                return receivers;
            });
        }
    }

    /** Removes a receiver. */
    public void unsubscribe(ChannelKind kind, Bytes source, Receiver receiver) {
        if (kind == ChannelKind.PATTERN) {
            patterns.computeIfPresent(source, (key, old) -> {
                old.receivers.remove(receiver);
                return old.receivers.isEmpty() ? null : old;
            });
        } else {
            table(kind).computeIfPresent(source, (key, old) -> {
                old.remove(receiver);
                return old.isEmpty() ? null : old;
            });
        }
    }

    private Map<Bytes, Set<Receiver>> table(ChannelKind kind) {
        return kind == ChannelKind.SHARD ? shardChannels : channels;
    }

    /** Sends a message to the subscribers of its channel and of matching patterns; returns how many. */
    public long publish(Bytes channel, Bytes message) {
        long count = send(ChannelKind.CHANNEL, channel, message);
        if (!patterns.isEmpty()) {
            for (Map.Entry<Bytes, Pattern> entry : patterns.entrySet()) {
                Pattern pattern = entry.getValue();
                if (pattern.glob.matches(channel)) {
                    count += send(pattern.receivers, ChannelMessage.ofPattern(entry.getKey(), channel, message));
                }
            }
        }
        return count;
    }

    /** Sends a message to the subscribers of a channel of a shard; returns how many. */
    public long publishToShard(Bytes channel, Bytes message) {
        return send(ChannelKind.SHARD, channel, message);
    }

    private long send(ChannelKind kind, Bytes channel, Bytes message) {
        Set<Receiver> receivers = table(kind).get(channel);
        return receivers == null ? 0 : send(receivers, ChannelMessage.of(kind, channel, message));
    }

    private static long send(Set<Receiver> receivers, ChannelMessage message) {
        long count = 0;
        for (Receiver receiver : receivers) {
            receiver.take(message);
            count++;
        }
        return count;
    }

    /** Returns the channels that have subscribers and match a pattern; all channels if the pattern is null. */
    public List<Bytes> active(ChannelKind kind, @Nullable GlobPattern pattern) {
        List<Bytes> active = new ArrayList<>();
        for (Bytes channel : table(kind).keySet()) {
            if (pattern == null || pattern.matches(channel)) {
                active.add(channel);
            }
        }
        return active;
    }

    /** Returns how many receivers have subscribed to a channel by its name. */
    public int receivers(ChannelKind kind, Bytes channel) {
        Set<Receiver> receivers = table(kind).get(channel);
        return receivers == null ? 0 : receivers.size();
    }

    /** Returns how many patterns have subscribers. */
    public int patterns() {
        return patterns.size();
    }

    /** Returns how many channels have subscribers. */
    public int channels(ChannelKind kind) {
        return kind == ChannelKind.PATTERN ? patterns.size() : table(kind).size();
    }

    /** Returns whether a message of any channel could have a receiver. */
    public boolean isUsed() {
        return !channels.isEmpty() || !patterns.isEmpty();
    }
}
