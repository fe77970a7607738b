package dev.larder.array.ratis;

import dev.larder.array.stripe.StripeState.LogBeginning;
import dev.larder.array.stripe.StripeState.Place;
import dev.larder.memory.StorageException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.thirdparty.com.google.protobuf.InvalidProtocolBufferException;

/**
 * The files of a member, as Ratis keeps them:
 *
 * <pre>
 * STRIPE/current/raft-meta   its term, and its vote
 * STRIPE/current/log_...     its entries, once it has any
 * STRIPE/no-entries          ours: it had no entry yet, or its state has all that count. So a member without a log has lost none
 * </pre>
 *
 * {@code no-entries} goes some tenths of a second after the first entry was committed. If a new member loses its log within this
 * time, the loss is not detected.
 */
final class MemberFiles {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");
    private static final String PROMISES = "raft-meta";
    private static final String NO_ENTRIES = "no-entries";

    private MemberFiles() {}

    /**
     * Returns the last term of a member. If its log ends with an incomplete entry, cuts that entry off. The rest of the log, the
     * term and the vote are durable then.
     *
     * @throws LostPromisesException if files are missing. Ratis would start with term 0 and an empty log, and would vote
     */
    static long requireWhole(RaftOptions options, UUID stripe) {
        Path folder = options.directory().resolve(stripe.toString()).resolve("current");
        Path promises = folder.resolve(PROMISES);
        if (!Files.isRegularFile(promises)) {
            throw new LostPromisesException(promises + " is missing: member " + options.member() + " of stripe "
                    + stripe + " has lost its term and its vote; do not start it again under its name");
        }
        try {
            long term = term(promises);
            if (term > 0 && !hasLog(folder) && !Files.exists(folder.resolveSibling(NO_ENTRIES))) {
                throw new LostPromisesException(folder + " holds no log: member " + options.member() + " of stripe "
                        + stripe + " has lost its entries; do not start it again under its name");
            }
            TornTail.cutOff(folder, DiskSync.SYSTEM);
            return term;
        } catch (IOException e) {
            throw new StorageException(folder + " cannot be read: " + e, e);
        }
    }

    /**
     * Checks that a member's log reaches as far as its state: an entry is applied only once it is durable in the log.
     *
     * @throws LostPromisesException if it does not: Ratis would drop the rest of the log, and continue after the state. But this
     *     member may have acknowledged entries that are lost
     */
    static void requireReaching(RaftOptions options, UUID stripe, long applied) {
        long last = RaftLogs.lastEntry(options, stripe);
        if (last >= applied) {
            return;
        }
        if (mayHaveNoEntries(options, stripe)) { // its state was pulled
            deleteLog(options, stripe);
        } else {
            throw new LostPromisesException("the log of member " + options.member() + " of stripe " + stripe
                    + " ends with entry " + last + ", and its state with entry " + applied
                    + ": it has lost entries; do not start it again under its name");
        }
    }

    /**
     * Deletes the log of a member whose state was pulled, if the log has another entry in the place of the state. A committed
     * entry is in the state, so neither that other entry nor any after it was ever committed. All committed entries before are in
     * the state. Ratis would keep the log, and send its entries if this member leads. Term and vote stay.
     *
     * @param applied the last entry whose effects are durable in the state
     * @throws LostPromisesException if its state was not pulled: such a state came from this log, so one of the two is not the
     *     member's
     */
    static void dropParted(RaftOptions options, UUID stripe, Place applied) {
        if (!RaftLogs.partsFrom(options, stripe, applied)) {
            return;
        }
        String parted = "the log of member " + options.member() + " of stripe " + stripe + " holds another entry "
                + applied.index() + " than its state, whose entry has term " + applied.term();
        if (!mayHaveNoEntries(options, stripe)) {
            throw new LostPromisesException(parted + ": the member is damaged; do not start it again under its name");
        }
        LOGGER.log(System.Logger.Level.INFO, parted + ", which was pulled: the member drops the log");
        deleteLog(options, stripe);
    }

    /**
     * Deletes the file that names the members of a stripe, if the log has other members in the same place. The file may come from
     * a leader that had not committed them, and a later leader has replaced them. The log counts, and Ratis 3.3.0 would not start
     * with both.
     *
     * @throws StorageException if a file cannot be read or deleted
     */
    static void dropReplacedMembers(RaftOptions options, UUID stripe) {
        Path file = RaftLogs.members(options, stripe);
        if (!Files.exists(file)) {
            return;
        }
        try {
            LogEntryProto named = LogEntryProto.parseFrom(Files.readAllBytes(file));
            Optional<LogEntryProto> logged = RaftLogs.entry(options, stripe, named.getIndex());
            if (logged.isPresent()
                    && logged.get().hasConfigurationEntry()
                    && !logged.get().getConfigurationEntry().equals(named.getConfigurationEntry())) {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        file + ": the log has other members in entry " + named.getIndex() + ": the file is deleted");
                Files.delete(file);
                DiskSync.SYSTEM.sync(Objects.requireNonNull(file.getParent()));
            }
        } catch (InvalidProtocolBufferException e) { // Ratis ignores it as well
            LOGGER.log(System.Logger.Level.WARNING, file + " cannot be read: " + e);
        } catch (IOException e) {
            throw new StorageException(file + " cannot be read or deleted: " + e, e);
        }
    }

    private static boolean mayHaveNoEntries(RaftOptions options, UUID stripe) {
        return Files.exists(options.directory().resolve(stripe.toString()).resolve(NO_ENTRIES));
    }

    /**
     * Deletes all files of a log. Ratis 3.3.0 would drop the entries before the state, except for the file written last, and then
     * fail to append after the gap. The last file is deleted first, each durably: a crash leaves a beginning of the log, which is
     * found again.
     */
    private static void deleteLog(RaftOptions options, UUID stripe) {
        for (LogPart part : LogPart.of(options.directory(), stripe).reversed()) {
            try {
                Files.delete(part.file());
                DiskSync.SYSTEM.sync(part.folder());
            } catch (IOException e) {
                throw new StorageException(part.file() + " cannot be deleted: " + e, e);
            }
        }
    }

    /** Records that a new member has no entries. */
    static void begin(Path folder) throws IOException {
        Files.createFile(folder.resolve(NO_ENTRIES));
    }

    /** Records the same of a member whose state has all its entries: Ratis drops them when it starts. */
    static void mayHaveNoEntries(Path folder) {
        try {
            if (!Files.exists(folder.resolve(NO_ENTRIES))) {
                begin(folder);
            }
            DiskSync.SYSTEM.sync(folder);
        } catch (IOException e) {
            throw new StorageException(folder + " cannot be changed: " + e, e);
        }
    }

    /**
     * Returns whether a member may continue after the first entry of a leader's log, without the entries of its own log. In the
     * leader's term, it has acknowledged entries of that leader only.
     */
    static boolean mayFollow(RaftOptions options, UUID stripe, LogBeginning begun) {
        if (requireWhole(options, stripe) != begun.term()) {
            return false;
        }
        mayHaveNoEntries(options.directory().resolve(stripe.toString()));
        return true;
    }

    /** Returns whether a member has entries, and records it in its files. */
    static boolean settle(Path folder) {
        try {
            if (!hasLog(folder.resolve("current"))) {
                return false;
            }
            if (Files.deleteIfExists(folder.resolve(NO_ENTRIES))) {
                DiskSync.SYSTEM.sync(folder);
            }
            return true;
        } catch (IOException e) {
            throw new StorageException(folder + " cannot be changed: " + e, e);
        }
    }

    private static long term(Path promises) throws IOException {
        Properties lines = new Properties();
        try (Reader in = Files.newBufferedReader(promises)) {
            lines.load(in);
            return Long.parseLong(lines.getProperty("term", ""));
        } catch (IllegalArgumentException e) {
            throw new StorageException(promises + ": cannot read the term: " + e, e);
        }
    }

    private static boolean hasLog(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.anyMatch(file -> file.getFileName().toString().startsWith("log_"));
        }
    }
}
