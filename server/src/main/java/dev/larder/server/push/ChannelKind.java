package dev.larder.server.push;

import java.util.Locale;

/** The kinds of subscriptions, with the words that their replies begin with. */
public enum ChannelKind {
    /** A channel by its name. */
    CHANNEL("", "message"),
    /** All channels that match a pattern. */
    PATTERN("p", "pmessage"),
    /** A channel of a shard: separate from the other channels, even if there is only one node. */
    SHARD("s", "smessage");

    private final String subscribed;
    private final String unsubscribed;
    private final String message;

    ChannelKind(String letter, String message) {
        this.subscribed = letter + "subscribe";
        this.unsubscribed = letter + "unsubscribe";
        this.message = message;
    }

    /** Returns the first word of the reply to a subscription. */
    public String subscribed() {
        return subscribed;
    }

    /** Returns the first word of the reply to the end of a subscription. */
    public String unsubscribed() {
        return unsubscribed;
    }

    /** Returns the first word of a message. */
    public String message() {
        return message;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
