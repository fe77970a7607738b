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
 * The commands that a client has sent after a waiting write, or after a command whose stripe has no leader yet. They go with it,
 * so that they need no entries and no rounds of their own. They keep their order on each stripe: a read runs where its leader
 * applies the write ahead of it.
 *
 * <pre>
 * client          SET a | GET b | SET c | GET c | XRANGE d | SET e      all of one stripe
 * one entry       SET a           SET c                    .
 * as it applies   SET a | GET b | SET c | GET c            .
 * later                                           XRANGE d | SET e      a slow read does not delay other clients' entries
 * </pre>
 *
 * <p>Used by the session's loop.
 */
final class LookAhead {

    /** How many reads may go ahead at first, and how many at most. */
    private static final int READS_FIRST = 8;

    private static final int READS_MOST = 64;

    /** The replies wait in the heap: at most so many bytes of them, if none is longer than the longest recent one. */
    private static final int REPLIES_BYTES = 256 << 10;

    /** The read of one string whose reply is the whole string. */
    private static final String WHOLE_VALUE = "get";

    private static final int NONE = -1;
    private static final long NOWHERE = -1;

    private static final String NOT_READ = "TRYAGAIN The read was not done: the write ahead of it may have failed";

    /** A read that goes with a write, and the longest possible reply, as far as is known before the write. */
    private record Early(Submission write, EntryRead read, long replyBytes) {
        boolean hasFailed() {
            return write.isEnded() && !read.isDone();
        }
    }

    private final Stripes stripes;
    private final OpenWrites writes;

    /** The reads that go with a write, by the end of their command. Reads of one stripe may go before earlier ones of another. */
    private final NavigableMap<Long, Early> reads = new TreeMap<>();

    /** The longest possible replies of these reads, added up. */
    private long readsBytes;

    private int readsMost = READS_FIRST;

    /** The longest recent reply: it counts an eighth less with each write that is waited for. */
    private int longestBytes;

    /** The end of the write that is waited for. */
    private long metEnd;

    /** The stripes of which a command stays behind while the present one waits: later commands of them stay too. */
    private final BitSet held;

    /** Whether a command was met after which no other may go ahead. */
    private boolean isAtEnd;

    LookAhead(Stripes stripes, OpenWrites writes) {
        this.stripes = stripes;
        this.writes = writes;
        this.held = new BitSet(stripes.count());
    }

    /**
     * Submits the writes that a client waits for, with the commands that may go with them.
     *
     * @param met submissions of the running command
     * @param next the commands behind it
     * @param end where the running command ends in its client's input
     * @param received how many bytes of that input have come
     */
    void submit(List<Submission> met, List<Upcoming> next, long end, long received) {
        if (end != metEnd) {
            metEnd = end;
            beginWait();
        }
        go(met, next, received);
    }

    /**
     * Submits the commands that may go ahead of one whose stripe has no leader yet: the writes of other stripes.
     *
     * @param stripe the stripe of the running command
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

    /** Submits the newly arrived commands that may go with the writes that a client waits for. */
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
                held.set(gone.write.stripe().number()); // its read is still to be run
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
                held.set(number); // the command is redirected in its turn, or waits for a leader
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

    /** Returns the number of a command's stripe; {@link #NONE} if commands after it may not go ahead. */
    private int stripeOf(Call call) {
        if (call.command().is(CommandFlag.BLOCKING)) {
            return NONE;
        }
        try {
            int slot = RequestSlots.of(call);
            return slot == RequestSlots.NONE ? NONE : stripes.slots().stripeOf(slot);
        } catch (ReplyException e) { // the session meets it when it reaches the command
            return NONE;
        }
    }

    private @Nullable Submission write(Stripe stripe, Upcoming command, long received) {
        try {
            return OpenWrites.checked(
                    writes.begin(stripe, Operation.of(OpenWrites.toEntry(command.call())), command.end(), received));
        } catch (ReplyException e) {
            return null;
        }
    }

    /** Makes a read go with a write; returns false if the read stays behind. */
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

    /**
     * Returns the most bytes of a reply: the key's present ones, and those that a write ahead may add. 0 if the reply is not a
     * value.
     */
    private long replyBytes(Stripe stripe, Call call) {
        if (!call.command().name().equals(WHOLE_VALUE)) {
            return 0;
        }
        Store store = stripe.state().stores().store(0);
        Bytes key = Bytes.of(call.request(), call.command().keys().first());
        long now = store.holdsStream(key) ? 0 : Math.max(0, store.length(key));
        return now + writes.reachBytes();
    }

    /** Returns whether a read is of one string, and certainly in memory: the entries of other clients wait for it. */
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
     * Returns the reply to a read that has gone ahead; null if the read is to be run now.
     *
     * @throws ReplyException if its write may have failed and a later write of its stripe has gone: the read would see that one
     */
    byte @Nullable [] reply(long end) {
        while (!reads.isEmpty() && reads.firstKey() < end) { // these commands were refused before they were run
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
