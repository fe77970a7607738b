package dev.larder.array.ratis;

import dev.larder.memory.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;

/**
 * The logs of a node's members, which are cut at their beginning. They lie in segments, and a segment goes as a whole:
 *
 * <pre>
 * log_0-900   log_901-2000   log_2001-2900   log_inprogress_2901
 * goes        goes           stays           stays                  entries from 2500 on are to stay
 * </pre>
 *
 * Thread-safe.
 */
public final class RaftLogs {

    private static final Pattern CLOSED = Pattern.compile("log_(\\d+)-(\\d+)");
    private static final Pattern OPEN = Pattern.compile("log_inprogress_(\\d+)");

    private static final long OPEN_END = Long.MAX_VALUE - 2;

    /** A file of a log; its end is not known while it is written. */
    private record Part(long first, long last, long sizeBytes) {}

    private final RaftNode raft;
    private final RaftOptions options;

    RaftLogs(RaftNode raft, RaftOptions options) {
        this.raft = raft;
        this.options = options;
    }

    /**
     * Drops what lies before an entry, and what is too long, but for entries that this member needs itself.
     *
     * @param needed the first entry that somebody needs
     * @param own the first entry that this member needs: its state is not durable without it
     * @param times how many times as long as the options say the log may be for the sake of others
     */
    public void drop(UUID stripe, long needed, long own, int times) {
        List<Part> parts = parts(options.directory(), stripe);
        RaftLog log = raft.division(stripe).getRaftLog();
        TermIndex last = log.getLastEntryTermIndex();
        if (parts.isEmpty() || last == null) {
            return;
        }
        long withinBytes = withinBytes(parts, times * options.logBytes());
        long upTo = upTo(
                needed, own, Math.max(withinBytes, last.getIndex() - times * options.entriesMost()), last.getIndex());
        if (parts.getFirst().last() <= upTo) {
            var _ = log.purge(upTo);
        }
    }

    /**
     * Returns up to which entry a log may go.
     *
     * @param first the first entry that is to stay for others, if they need it
     * @param last the last entry of the log
     */
    static long upTo(long needed, long own, long first, long last) {
        // The entry before stays: Ratis names it to who is sent the next one. So does the last entry, whatever happens.
        return Math.min(Math.min(Math.max(needed, first), own) - 2, last - 1);
    }

    /** Returns the first entry of the longest end of a log that is not longer. */
    private static long withinBytes(List<Part> parts, long bytesMost) {
        long bytes = 0;
        for (Part part : parts.reversed()) {
            bytes += part.sizeBytes();
            if (bytes > bytesMost) {
                return part.last() + 2;
            }
        }
        return 0;
    }

    /** Returns the first entry of a member's log, whether it runs or not; 0 if it has none. */
    public static long firstEntry(RaftOptions options, UUID stripe) {
        List<Part> parts = parts(options.directory(), stripe);
        return parts.isEmpty() ? 0 : parts.getFirst().first();
    }

    /** Returns the last whole entry of the log of a member that does not run; -1 if it has none. */
    static long lastEntry(RaftOptions options, UUID stripe) {
        List<Part> parts = parts(options.directory(), stripe);
        if (parts.isEmpty()) {
            return -1;
        }
        Part end = parts.getLast();
        if (end.last() != OPEN_END) {
            return end.last();
        }
        Path open = options.directory()
                .resolve(stripe.toString())
                .resolve("current")
                .resolve("log_inprogress_" + end.first());
        try {
            return end.first() + OpenSegment.wholeEntries(open) - 1;
        } catch (IOException e) {
            throw new StorageException(open + " cannot be read: " + e, e);
        }
    }

    private static List<Part> parts(Path directory, UUID stripe) {
        Path folder = directory.resolve(stripe.toString()).resolve("current");
        List<Part> parts = new ArrayList<>();
        if (!Files.isDirectory(folder)) {
            return parts; // that is told when its member starts
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                addPart(parts, file);
            }
        } catch (IOException e) {
            throw new StorageException(folder + " cannot be read: " + e, e);
        }
        parts.sort(Comparator.comparingLong(Part::first));
        return parts;
    }

    private static void addPart(List<Part> parts, Path file) throws IOException {
        String name = file.getFileName().toString();
        Matcher closed = CLOSED.matcher(name);
        Matcher open = OPEN.matcher(name);
        try {
            if (closed.matches()) {
                parts.add(new Part(Long.parseLong(closed.group(1)), Long.parseLong(closed.group(2)), Files.size(file)));
            } else if (open.matches()) {
                parts.add(new Part(Long.parseLong(open.group(1)), OPEN_END, Files.size(file)));
            }
        } catch (NoSuchFileException e) { // it has just been closed, under another name, or dropped
            return;
        }
    }
}
