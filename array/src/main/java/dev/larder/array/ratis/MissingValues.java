package dev.larder.array.ratis;

import dev.larder.array.stripe.EntryValues;
import dev.larder.array.stripe.StripeState.Place;
import dev.larder.memory.CorruptException;
import dev.larder.memory.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.UUID;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.jspecify.annotations.Nullable;

/**
 * Reconciles the log of a member that does not run with the values of its entries:
 *
 * <pre>
 * log     | 5 | 6 |     | 7 | 8 | 9 | 10 | 11 |
 * values                | v | v | v |                     the store is kept at 8
 *         goes          stays       cut off
 * </pre>
 *
 * Values are synced before their entry. So a last entry without values was never acknowledged, and is cut off with all entries
 * after it. Entries up to the kept one may lack values: they were dropped before and a power loss has brought their files back,
 * or the store was pulled. Such entries are dropped, with their files. Anything else is damage.
 */
final class MissingValues {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");

    private final Path member;
    private final Path folder;
    private final long kept;
    private final EntryValues values;
    private final List<LogPart> parts;

    /** How many parts are dropped, from the first on. */
    private int dropped;

    /** The part that is cut, and where; null if none is cut. */
    private @Nullable LogPart cutPart;

    private int cutBegin;
    private long cutIndex;

    private MissingValues(RaftOptions options, UUID stripe, long kept, EntryValues values) {
        this.member = options.directory().resolve(stripe.toString());
        this.folder = member.resolve("current");
        this.kept = kept;
        this.values = values;
        this.parts = LogPart.of(options.directory(), stripe);
    }

    /**
     * Makes each entry claim its values.
     *
     * @param kept the entry up to which the store was kept
     * @throws LostPromisesException if required values are missing
     */
    static void settle(RaftOptions options, UUID stripe, long kept, EntryValues values) {
        MissingValues missing = new MissingValues(options, stripe, kept, values);
        try {
            missing.look();
            missing.change();
        } catch (CorruptException e) {
            throw new LostPromisesException(
                    "the member " + options.member() + " of stripe " + stripe
                            + " has lost values; do not start it again under its name: " + e.getMessage(),
                    e);
        } catch (IOException e) {
            throw new StorageException(missing.folder + " cannot be read or changed: " + e, e);
        }
        values.settle();
    }

    private void look() throws IOException {
        for (int number = 0; number < parts.size(); number++) {
            LogPart part = parts.get(number);
            try (FileChannel file = FileChannel.open(part.file(), StandardOpenOption.READ)) {
                look(number, OpenSegment.read(file));
            }
        }
    }

    private void look(int number, ByteBuffer log) throws IOException {
        LogPart part = parts.get(number);
        int begin = OpenSegment.HEADER_BYTES;
        int end = OpenSegment.end(log, begin);
        long last = part.first() - 1;
        while (end != OpenSegment.NONE && OpenSegment.isWhole(log, begin, end)) {
            LogEntryProto entry = LogEntryProto.parseFrom(OpenSegment.entry(log, begin, end));
            last = entry.getIndex();
            if (EntryData.isIn(entry)) {
                look(number, begin, new Place(entry.getTerm(), last));
            }
            begin = end;
            end = OpenSegment.end(log, begin);
        }
        if (dropped > number && last > kept) {
            throw new CorruptException(part.file() + " holds entries up to " + kept
                    + " without values, which the store has, and later entries, which the store lacks");
        }
    }

    private void look(int number, int begin, Place place) {
        boolean isThere = values.claim(place);
        if (cutPart != null) {
            if (isThere) {
                throw new CorruptException(folder + ": entry " + cutIndex + " has no values, but the later entry "
                        + place.index() + " has some: the values are damaged");
            }
        } else if (!isThere && place.index() <= kept) {
            dropped = number + 1;
        } else if (!isThere) {
            cutPart = parts.get(number);
            cutBegin = begin;
            cutIndex = place.index();
        }
    }

    private void change() throws IOException {
        if (dropped == 0 && cutPart == null) {
            return;
        }
        boolean isNothingLeft =
                dropped == parts.size() || (parts.get(dropped).equals(cutPart) && cutBegin == OpenSegment.HEADER_BYTES);
        if (isNothingLeft) {
            MemberFiles.mayHaveNoEntries(member);
        }
        for (LogPart part : parts.subList(0, dropped)) {
            LOGGER.log(
                    System.Logger.Level.INFO,
                    part.file()
                            + ": the member drops this part: its entries are in the store, and their values are gone");
            Files.delete(part.file());
        }
        LogPart cut = cutPart;
        if (cut != null) {
            cutOff(cut);
        }
        sync(folder);
    }

    /** Deletes the later parts first, the last one before the others: a kill leaves a state that is found again. */
    private void cutOff(LogPart cut) throws IOException {
        LOGGER.log(
                System.Logger.Level.WARNING,
                cut.file() + ": the values of entry " + cutIndex
                        + " were not completely written: the member cuts off this entry and all later ones");
        for (LogPart part : parts.subList(parts.indexOf(cut) + 1, parts.size()).reversed()) {
            Files.delete(part.file());
        }
        if (cutBegin == OpenSegment.HEADER_BYTES) {
            Files.delete(cut.file());
            return;
        }
        Path open = cut.asOpen();
        if (!cut.isOpen()) {
            Files.move(cut.file(), open); // Ratis continues in it
        }
        try (FileChannel file = FileChannel.open(open, StandardOpenOption.WRITE)) {
            file.truncate(cutBegin);
            file.force(true);
        }
    }

    private static void sync(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
