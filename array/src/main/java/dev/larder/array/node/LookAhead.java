package dev.larder.array.node;

import dev.larder.array.entry.EntryRead;
import dev.larder.array.entry.Operation;
import dev.larder.resp.Command;
import dev.larder.resp.CommandFlag;
import dev.larder.resp.ReplyException;
import dev.larder.server.command.Call;
import dev.larder.server.command.Database.Upcoming;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The commands that a client has sent behind a write that waits. They go with it, so that they need no entries and no rounds of
 * their own. On each stripe they keep their order: a read runs where its leader applies the write ahead of it.
 *
 * <pre>
 * client          SET a | GET b | SET c | GET c | XRANGE d | SET e      all of one stripe
 * one entry       SET a           SET c                    .
 * as it applies   SET a | GET b | SET c | GET c            .
 * later                                           XRANGE d | SET e      a slow read does not hold up the entries of others
 * </pre>
 *
 * <p>Of the session's loop.
 */
final class LookAhead {

    /** So many reads go ahead at first, and so many at most. */
    private static final int READS_FIRST = 8;

    private static final int READS_MOST = 64;

    /** Their replies wait in the heap. If those of one wait are longer, fewer reads go ahead. */
    private static final int REPLIES_BYTES = 256 << 10;

    private final Stripes stripes;
    private final OpenWrites writes;

    /** The reads that go with a write, by the end of their command. Those of one stripe may go before earlier ones of another. */
    private final NavigableMap<Long, EntryRead> reads = new TreeMap<>();

    private int readsMost = READS_FIRST;
    private int repliesBytes;

    /** The stripes of which a command stays behind while the present one waits: so do later ones. */
    private final BitSet held;

    /** A command was met behind which none may go ahead. */
    private boolean isAtEnd;

    LookAhead(Stripes stripes, OpenWrites writes) {
        this.stripes = stripes;
        this.writes = writes;
        this.held = new BitSet(stripes.count());
    }

    /**
     * Submits the writes that a client waits for, and what may go with them.
     *
     * @param met submissions of the command that runs
     * @param next the commands behind it
     */
    void submit(List<Submission> met, List<Upcoming> next, long received) {
        held.clear();
        isAtEnd = false;
        adapt();
        go(met, next, received);
    }

    /** Submits what may go with the writes that a client waits for, of what has come since. */
    void arrived(List<Upcoming> next, long received) {
        if (!isAtEnd) {
            go(List.of(), next, received);
        }
    }

    private void go(List<Submission> met, List<Upcoming> next, long received) {
        List<Submission> all = new ArrayList<>(met);
        @Nullable Submission[] last = new @Nullable Submission[stripes.count()];
        met.stream()
                .filter(write -> !write.isSubmitted())
                .forEach(write -> last[write.stripe().number()] = write);
        for (Upcoming command : next) {
            if (writes.holds(command.end()) || reads.containsKey(command.end())) {
                continue; // it has gone already
            }
            Stripe stripe = leading(command.call());
            if (stripe == null) {
                isAtEnd = true;
                break;
            }
            int number = stripe.number();
            if (held.get(number)) {
                continue;
            }
            if (command.call().command().is(CommandFlag.WRITE)) {
                Submission write = write(stripe, command, received);
                if (write == null) {
                    isAtEnd = true;
                    break;
                }
                writes.add(write);
                all.add(write);
                last[number] = write;
            } else if (!goesWith(last[number], command)) {
                held.set(number);
            }
        }
        all.forEach(Submission::submit);
    }

    /** Returns the stripe that a command is about, if this node leads it. */
    private @Nullable Stripe leading(Call call) {
        if (call.command().is(CommandFlag.BLOCKING)) {
            return null; // what is behind it comes later
        }
        try {
            int slot = RequestSlots.of(call);
            Stripe stripe = slot == RequestSlots.NONE
                    ? null
                    : stripes.here(stripes.slots().stripeOf(slot));
            return stripe != null && stripe.isReady() ? stripe : null;
        } catch (ReplyException e) { // the session meets it when it comes there
            return null;
        }
    }

    private @Nullable Submission write(Stripe stripe, Upcoming command, long received) {
        try {
            return OpenWrites.checked(
                    new Submission(stripe, Operation.of(OpenWrites.toEntry(command.call())), command.end(), received));
        } catch (ReplyException e) {
            return null;
        }
    }

    /** Has a read go with a write; returns false if it stays behind. */
    private boolean goesWith(@Nullable Submission write, Upcoming command) {
        Command read = command.call().command();
        boolean isShort = read.is(CommandFlag.READONLY) && read.is(CommandFlag.FAST);
        if (write == null || !isShort || command.isTracked() || reads.size() >= readsMost) {
            return false;
        }
        EntryRead early = new EntryRead(OpenWrites.toEntry(command.call()));
        write.readNext(early);
        reads.put(command.end(), early);
        return true;
    }

    /** Lets more reads go ahead, or fewer. */
    private void adapt() {
        if (repliesBytes > REPLIES_BYTES) {
            readsMost = Math.max(1, readsMost / 2);
        } else if (repliesBytes > 0) {
            readsMost = Math.min(READS_MOST, readsMost * 2);
        }
        repliesBytes = 0;
    }

    /** Returns the reply to a read that has gone ahead; null if it is to be run now: its write may have failed. */
    byte @Nullable [] reply(long end) {
        reads.headMap(end).clear(); // they were refused before they were run
        EntryRead early = reads.remove(end);
        if (early == null) {
            return null;
        }
        byte[] reply = early.reply();
        repliesBytes += reply == null ? 0 : reply.length;
        return reply;
    }
}
