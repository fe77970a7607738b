package dev.larder.log.shared;

import dev.larder.log.format.SegmentLayout;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Files that only one process opens: {@code p-<slot>-<generation>-<n>.tmp}.
 *
 * <p>The files of a dead process are unlinked and never reused. One may be a second name of a live segment, if the process
 * was killed between link and unlink.
 */
public final class PrivateFiles {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.log");

    public static final String SUFFIX = ".tmp";

    private static final Pattern NAME = Pattern.compile("p-(\\d{1,4})-\\d+-\\d+\\.tmp");

    private PrivateFiles() {}

    public static String prefix(int slot, long generation) {
        return "p-" + slot + "-" + generation + "-";
    }

    /**
     * Unlinks the private files of dead processes, and segments below {@code first}. Under GATE, before this process makes
     * any private file: after a power loss its generation may be one that was used before.
     */
    public static void clean(Path directory, Storage storage, ControlFile control, LockFile locks, int ownSlot) {
        List<String> names = storage.list(directory);
        int first = control.firstVolatile(); // other processes may drop more meanwhile, and not durably yet
        if (names.stream().anyMatch(name -> isBelow(first, name))) {
            control.force(); // the process that dropped it may have died before first was durable
        }
        for (String name : names) {
            if (isBelow(first, name) || isOfDead(name, locks, ownSlot)) {
                discard(directory.resolve(name), storage);
            }
        }
    }

    /**
     * The same while other processes come and go: no process takes the slot of a dead one while its byte is shared.
     *
     * @param durableFirst what {@code first} was before it was last made durable; a loss of power may undo later drops
     */
    public static void sweep(Path directory, Storage storage, int durableFirst, LockFile locks, String ownPrefix) {
        for (String name : storage.list(directory)) {
            if (isBelow(durableFirst, name)) {
                discard(directory.resolve(name), storage);
            } else if (!name.startsWith(ownPrefix)) {
                slotOf(name).ifPresent(slot -> discardOfDead(directory.resolve(name), storage, locks, slot));
            }
        }
    }

    private static void discardOfDead(Path name, Storage storage, LockFile locks, int slot) {
        if (locks.tryLockShared(LockFile.live(slot))) {
            try {
                discard(name, storage);
            } finally {
                locks.unlock(LockFile.live(slot));
            }
        }
    }

    private static boolean isBelow(int first, String name) {
        int number = SegmentLayout.numberOf(name);
        return number >= 0 && number < first;
    }

    /**
     * Unlinks a name that is no longer looked for. Where a file that is open or mapped keeps its names (Windows), the name
     * stays, as after a kill. It is then a second name of a segment that others are in already. A later opening removes it.
     */
    public static void discard(Path name, Storage storage) {
        try {
            storage.delete(name);
        } catch (StorageException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "cannot delete " + name + "; a later opening does", e);
        }
    }

    private static boolean isOfDead(String name, LockFile locks, int ownSlot) {
        return slotOf(name)
                .filter(slot -> slot == ownSlot || !locks.isHeld(LockFile.live(slot)))
                .isPresent();
    }

    private static Optional<Integer> slotOf(String name) {
        Matcher parts = NAME.matcher(name);
        return parts.matches() ? Optional.of(Integer.valueOf(parts.group(1))) : Optional.empty();
    }
}
