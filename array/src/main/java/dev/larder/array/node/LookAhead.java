package dev.larder.array.node;

import dev.larder.array.entry.EntryRead;
import dev.larder.array.entry.Operation;
import dev.larder.resp.Command;
import dev.larder.resp.CommandCategory;
import dev.larder.resp.CommandFlag;
import dev.larder.resp.ReplyException;
import dev.larder.server.command.Call;
import dev.larder.server.command.Database.Upcoming;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.Store;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The commands that a client has sent behind a write that waits, or behind a command whose stripe has no leader yet. They go with it,
 * so that they need no entries and no rounds of their own. On each stripe they keep their order: a read runs where its leader
 * applies the write ahead of it.
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

    /** Their replies wait in the heap: so many bytes of them, if none is longer than the longest of late. */
    private static final int REPLIES_BYTES = 256 << 10;

    /** The read of one string whose reply is all of it. */
    private static final String WHOLE_VALUE = "get";

    private static final int NONE = -1;
    private static final long NOWHERE = -1;

    private static final String NOT_READ = "TRYAGAIN The read was not done: the write ahead of it may have failed";

    /** A read that goes with a write, and how long its reply may be, as far as is known before the write. */
    private record Early(Submission write, EntryRead read, long replyBytes) {
        boolean hasFailed() {
            return write.isEnded() && !read.isDone();
        }
    }

    private final Stripes stripes;
    private final OpenWrites writes;

    /** The reads that go with a write, by the end of their command. Those of one stripe may go before earlier ones of another. */
    private final NavigableMap<Long, Early> reads = new TreeMap<>();

    /** How long their replies may be together. */
    private long readsBytes;

    private int readsMost = READS_FIRST;

    /** The longest reply of late: it counts an eighth less with each write that is waited for. */
    private int longestBytes;

    /** Where the write ends that is waited for. */
    private long metEnd;

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
     * @param end where the command that runs ends in what its client sends
     * @param received how many bytes of that have come
     */
    void submit(List<Submission> met, List<Upcoming> next, long end, long received) {
        if (end != metEnd) {
            metEnd = end;
            beginWait();
        }
        go(met, next, received);
    }

    /**
     * Submits what may go ahead of a command whose stripe has no leader yet: the writes of other stripes.
     *
     * @param stripe of the command that runs
     */
    void awaitLeader(int stripe, List<Upcoming> next, long received) {
        metEnd = NOWHERE; // once there is a leader, its own stripe goes as well
        beginWait();
        held.set(stripe);
        go(List.of(), next, received);
    }

    private void beginWait() {
        held.clear();
        isAtEnd = false;
        readsMost = Math.clamp(REPLIES_BYTES / Math.max(1, longestBytes), 1, Math.min(2 * readsMost, READS_MOST));
        longestBytes -= longestBytes / 8;
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
            Early gone = reads.get(command.end());
            if (gone != null && gone.hasFailed()) {
                held.set(gone.write.stripe().number()); // it is to be read yet
            }
            if (gone != null || writes.holds(command.end())) {
                continue;
            }
            int number = stripeOf(command.call());
            if (number == NONE) {
                isAtEnd = true;
                break;
            }
            Stripe stripe = stripes.here(number);
            if (stripe == null || !stripe.isReady()) {
                held.set(number); // it is sent on in its turn, or waits for a leader
            }
            if (stripe == null || held.get(number)) {
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

    /** Returns the number of the stripe that a command is about; {@link #NONE} if what is behind it may not go ahead. */
    private int stripeOf(Call call) {
        if (call.command().is(CommandFlag.BLOCKING)) {
            return NONE;
        }
        try {
            int slot = RequestSlots.of(call);
            return slot == RequestSlots.NONE ? NONE : stripes.slots().stripeOf(slot);
        } catch (ReplyException e) { // the session meets it when it comes there
            return NONE;
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
        if (write == null || command.isTracked() || reads.size() >= readsMost || !isShort(write.stripe(), command)) {
            return false;
        }
        long replyBytes = replyBytes(write.stripe(), command.call());
        if (replyBytes > REPLIES_BYTES - readsBytes) {
            return false;
        }
        EntryRead early = new EntryRead(OpenWrites.toEntry(command.call()));
        write.readNext(early);
        reads.put(command.end(), new Early(write, early, replyBytes));
        readsBytes += replyBytes;
        return true;
    }

    /** Returns how long a reply may be: what the key holds now, and a write ahead of it may add. 0: it is no value. */
    private long replyBytes(Stripe stripe, Call call) {
        if (!call.command().name().equals(WHOLE_VALUE)) {
            return 0;
        }
        Store store = stripe.state().stores().store(0);
        Bytes key = Bytes.of(call.request(), call.command().keys().first());
        long now = store.holdsStream(key) ? 0 : Math.max(0, store.length(key));
        return now + writes.reachBytes();
    }

    /** Returns whether a read is of one string, and surely in memory: the entries of others wait for it. */
    private static boolean isShort(Stripe stripe, Upcoming command) {
        Command read = command.call().command();
        boolean isOfOne =
                read.keys().first() > 0 && read.keys().first() == read.keys().last();
        return isOfOne
                && read.is(CommandFlag.READONLY)
                && read.is(CommandFlag.FAST)
                && !read.categories().contains(CommandCategory.STREAM)
                && !stripe.state().stores().store(0).waits().arePagesMissing();
    }

    /**
     * Returns the reply to a read that has gone ahead; null if it is to be run now.
     *
     * @throws ReplyException if its write may have failed, and a later one of its stripe has gone: it would see that
     */
    byte @Nullable [] reply(long end) {
        while (!reads.isEmpty() && reads.firstKey() < end) { // they were refused before they were run
            take(reads.firstKey());
        }
        Early early = take(end);
        if (early == null) {
            return null;
        }
        byte[] reply = early.read.reply();
        if (reply == null && writes.holdsBehind(early.write.stripe(), end)) {
            throw new ReplyException(NOT_READ);
        }
        longestBytes = Math.max(longestBytes, reply == null ? 0 : reply.length);
        return reply;
    }

    private @Nullable Early take(long end) {
        Early early = reads.remove(end);
        readsBytes -= early == null ? 0 : early.replyBytes;
        return early;
    }
}
