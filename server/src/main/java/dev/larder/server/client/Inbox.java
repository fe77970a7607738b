package dev.larder.server.client;

import dev.larder.server.push.Push;
import dev.larder.server.push.Receiver;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The pushes for a client, in order of arrival, until its loop takes them. Any thread adds pushes; the loop is woken once for
 * all that have come meanwhile. If more than the limit waits, further pushes are refused, and the client is closed.
 */
public final class Inbox implements Receiver {

    private final Link link;
    private final Runnable taker;
    private final LongPredicate limit;
    private final Queue<Push> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicBoolean woken = new AtomicBoolean();
    private volatile boolean overflown;

    /** Creates an inbox of as many bytes as a limit allows; the taker runs in the link's loop after a push has come. */
    public Inbox(Link link, LongPredicate limit, Runnable taker) {
        this.link = link;
        this.limit = limit;
        this.taker = taker;
    }

    @Override
    public void take(Push push) {
        if (!limit.test(bytes.addAndGet(push.sizeBytes()))) {
            overflown = true;
        }
        if (!overflown) {
            waiting.add(push);
        }
        if (!woken.get() && woken.compareAndSet(false, true)) {
            wakeSoon();
        }
    }

    private void wakeSoon() {
        boolean wakes = false;
        try {
            link.execute(this::wake);
            wakes = true;
        } finally {
            if (!wakes) {
                woken.set(false); // the next push tries again
            }
        }
    }

    private void wake() {
        woken.set(false); // before it is taken: what comes from now on wakes the loop again
        taker.run();
    }

    public boolean isEmpty() {
        return waiting.isEmpty() && !overflown;
    }

    /** Returns whether more came than may wait for a client. */
    public boolean isOverflown() {
        return overflown;
    }

    /** Returns how many bytes wait. Any thread may call this. */
    public long sizeBytes() {
        return bytes.get();
    }

    /** Passes on the pushes that have come until now. */
    public void drain(Consumer<Push> target) {
        for (@Nullable Push push = waiting.poll(); push != null; push = waiting.poll()) {
            bytes.addAndGet(-push.sizeBytes());
            target.accept(push);
        }
    }
}
