package dev.larder.server.push;

import dev.larder.server.store.Bytes;
import dev.larder.server.store.KeyEvent;
import java.nio.charset.StandardCharsets;

/**
 * Publishes the events of keys to subscribers, on two channels for each event:
 *
 * <pre>
 * __keyspace@0__:KEY        the name of the event       if K is set
 * __keyevent@0__:EVENT      the key                     if E is set
 * </pre>
 *
 * <p>A set of letters selects the classes of events, as in Redis' parameter {@code notify-keyspace-events}. Thread-safe.
 */
public final class KeyspaceEvents {

    /** All letters, in the order in which {@link #text} returns them, the classes that A stands for first. */
    private static final String LETTERS = "g$lshzxetdnKEm";

    private static final int CLASSES_OF_A = 10;

    /** Where the letters begin that {@link #text} shows beside A; Redis does not show n there. */
    private static final int BESIDE_A = 11;

    private static final int ALL = (1 << CLASSES_OF_A) - 1;

    private final Channels channels;
    private volatile int flags;

    /** Creates events that are published on some channels. None are published at first. */
    public KeyspaceEvents(Channels channels) {
        this.channels = channels;
    }

    /**
     * Sets which events are published from now on.
     *
     * @throws IllegalArgumentException if a letter is unknown
     */
    public void set(String letters) {
        int next = 0;
        for (int i = 0; i < letters.length(); i++) {
            char letter = letters.charAt(i);
            int number = LETTERS.indexOf(letter);
            if (letter != 'A' && number < 0) {
                throw new IllegalArgumentException("Invalid event class character. Use 'Ag$lshzxeKEtmdn'.");
            }
            next |= letter == 'A' ? ALL : 1 << number;
        }
        flags = next;
    }

    /** Returns the letters, in the order in which Redis returns them. */
    public String text() {
        int now = flags;
        boolean all = (now & ALL) == ALL;
        StringBuilder text = new StringBuilder(all ? "A" : "");
        for (int i = all ? BESIDE_A : 0; i < LETTERS.length(); i++) {
            if ((now & 1 << i) != 0) {
                text.append(LETTERS.charAt(i));
            }
        }
        return text.toString();
    }

    private static int flag(char letter) {
        return 1 << LETTERS.indexOf(letter);
    }

    /** Returns whether an event is published at all. */
    public boolean tells(KeyEvent event) {
        int now = flags;
        return now != 0 && (now & flag(event.category())) != 0 && (now & (flag('K') | flag('E'))) != 0;
    }

    /** Publishes an event of a key of a database. */
    void tell(int database, Bytes key, KeyEvent event) {
        if (!tells(event) || !channels.isUsed()) {
            return;
        }
        Bytes name = Bytes.of(event.text());
        if ((flags & flag('K')) != 0) {
            channels.publish(channel("__keyspace@" + database + "__:", key), name);
        }
        if ((flags & flag('E')) != 0) {
            channels.publish(channel("__keyevent@" + database + "__:", name), key);
        }
    }

    private static Bytes channel(String prefix, Bytes rest) {
        byte[] first = prefix.getBytes(StandardCharsets.US_ASCII);
        byte[] channel = new byte[first.length + rest.length()];
        System.arraycopy(first, 0, channel, 0, first.length);
        System.arraycopy(rest.array(), rest.offset(), channel, first.length, rest.length());
        return Bytes.of(channel);
    }
}
