package dev.larder.array.ratis;

import dev.larder.array.stripe.EntryValues;
import dev.larder.array.stripe.StripeState.Place;
import dev.larder.memory.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;

/**
 * Cuts the logs of a node's members at their beginning. A log consists of segments, and is cut by whole segments:
 *
 * <pre>
 * log_0-900   log_901-2000   log_2001-2900   log_inprogress_2901
 * goes        goes           stays           stays                  entries from 2500 on are to stay
 * </pre>
 *
 * Thread-safe.
 */
public final class RaftLogs {

    /** How many times as many entries stay for a member that takes entries as for one that is away. */
    public static final int TAKEN_TIMES = 8;

    /**
     * The first entries that members need.
     *
     * @param own the first that this member needs: its state is not durable without it
     * @param takers the first that any member needs which takes entries, or will do so once its files are pulled
     * @param all the first that any member needs
     */
    public record Needs(long own, long takers, long all) {}

    private final RaftNode raft;
    private final RaftOptions options;

    RaftLogs(RaftNode raft, RaftOptions options) {
        this.raft = raft;
        this.options = options;
    }

    /**
     * Drops entries that no member needs, and entries beyond the log's limits, except those that this member needs itself.
     *
     * @param values holds large values of entries, which count; empty if they are in the log
     */
    public void drop(UUID stripe, Needs needs, Optional<EntryValues> values) {
        RaftLog log = raft.division(stripe).getRaftLog();
        long start = log.getStartIndex();
        List<LogPart> parts = LogPart.of(options.directory(), stripe);
        TermIndex last = log.getLastEntryTermIndex();
        if (parts.isEmpty() || last == null) {
            return;
        }
        // A file that is being closed may be missing in the list, but Ratis knows it.
        long first = Math.min(start, parts.getFirst().first());
        values.ifPresent(here -> here.purged(first - 1));
        long forAll = within(1, parts, last.getIndex(), values);
        long forTakers = within(TAKEN_TIMES, parts, last.getIndex(), values);
        long upTo = upTo(needs, forAll, forTakers, last.getIndex());
        if (parts.getFirst().last() <= upTo) {
            var _ = log.purge(upTo);
        }
    }

    /**
     * Returns the entry up to which a log may be dropped.
     *
     * @param forAll the first entry that stays for any other member, if it needs the entry
     * @param forTakers the same for members that take entries
     * @param last the last entry of the log
     */
    static long upTo(Needs needs, long forAll, long forTakers, long last) {
        long others = Math.min(Math.max(needs.all, forAll), Math.max(needs.takers, forTakers));
        // The entry before stays: Ratis names it to a member when it sends the next one. The last entry always stays.
        return Math.min(Math.min(others, needs.own) - 2, last - 1);
    }

    /** Returns the first entry of the longest end of a log that may stay for other members. */
    private long within(int times, List<LogPart> parts, long last, Optional<EntryValues> values) {
        return Math.max(withinBytes(parts, times * options.logBytes(), values), last - times * options.entriesMost());
    }

    /** Returns the first entry of the longest end of a log within a number of bytes. */
    private static long withinBytes(List<LogPart> parts, long bytesMost, Optional<EntryValues> values) {
        long bytes = 0;
        for (LogPart part : parts.reversed()) {
            bytes += part.sizeBytes();
            if (values.isPresent()) {
                bytes += values.get().bytes(part.first(), part.last() + 1);
            }
            if (bytes > bytesMost) {
                return part.last() + 2;
            }
        }
        return 0;
    }

    /**
     * Returns the file in which Ratis keeps the last committed members of a stripe. A member writes it when it applies an entry that
     * changes them, and reads it when it starts: the entry itself may be purged.
     */
    public static Path members(RaftOptions options, UUID stripe) {
        return options.directory().resolve(stripe.toString()).resolve("current").resolve("raft-meta.conf");
    }

    /** Returns the first entry of a member's log, whether it runs or not; 0 if it has none. */
    public static long firstEntry(RaftOptions options, UUID stripe) {
        List<LogPart> parts = LogPart.of(options.directory(), stripe);
        return parts.isEmpty() ? 0 : parts.getFirst().first();
    }

    /** Returns the last whole entry of the log of a member that does not run; -1 if it has none. */
    public static long lastEntry(RaftOptions options, UUID stripe) {
        List<LogPart> parts = LogPart.of(options.directory(), stripe);
        if (parts.isEmpty()) {
            return -1;
        }
        LogPart end = parts.getLast();
        if (!end.isOpen()) {
            return end.last();
        }
        try {
            return end.first() + OpenSegment.wholeEntries(end.file()) - 1;
        } catch (IOException e) {
            throw new StorageException(end.file() + " cannot be read: " + e, e);
        }
    }

    /** Returns an entry of the log of a member that does not run; empty if the log does not have it. */
    static Optional<LogEntryProto> entry(RaftOptions options, UUID stripe, long index) throws IOException {
        for (LogPart part : LogPart.of(options.directory(), stripe)) {
            if (part.first() <= index && index <= part.last()) {
                Optional<ByteBuffer> bytes = OpenSegment.entry(part.file(), index - part.first());
                return bytes.isPresent() ? Optional.of(LogEntryProto.parseFrom(bytes.get())) : Optional.empty();
            }
        }
        return Optional.empty();
    }

    /**
     * Returns whether the log of a member that does not run differs from another log: a place holds an entry of another term.
     *
     * @param place the place of an entry in the other log; with an unknown term the result is false
     */
    static boolean partsFrom(RaftOptions options, UUID stripe, Place place) {
        if (place.term() == Place.UNKNOWN_TERM) {
            return false;
        }
        for (LogPart part : LogPart.of(options.directory(), stripe)) {
            if (part.first() <= place.index() && place.index() <= part.last()) {
                return holdsAnother(part, place);
            }
        }
        return false;
    }

    /**
     * Returns whether a state covers the log of a member that does not run: the log goes no further, or differs from the state's.
     *
     * @param place the last entry that the state has
     */
    public static boolean isCovered(RaftOptions options, UUID stripe, Place place) {
        return place.index() >= lastEntry(options, stripe) || partsFrom(options, stripe, place);
    }

    private static boolean holdsAnother(LogPart part, Place place) {
        try {
            Optional<ByteBuffer> entry = OpenSegment.entry(part.file(), place.index() - part.first());
            return entry.isPresent() && LogEntryProto.parseFrom(entry.get()).getTerm() != place.term();
        } catch (IOException e) {
            throw new StorageException(part.file() + " cannot be read: " + e, e);
        }
    }
}
