package dev.larder.log;

import dev.larder.memory.Storage;
import dev.larder.memory.StorageException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Files that only one process opens: {@code p-<slot>-<generation>-<n>.tmp}.
 *
 * <p>Those of a dead process are unlinked and never reused: one may be a second name of a live segment, when its
 * process was killed between link and unlink.
 */
final class PrivateFiles {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.log");

    static final String SUFFIX = ".tmp";

    private static final Pattern NAME = Pattern.compile("p-(\\d{1,4})-\\d+-\\d+\\.tmp");

    private PrivateFiles() {}

    static String prefix(int slot, long generation) {
        return "p-" + slot + "-" + generation + "-";
    }

    /**
     * Unlinks the private files of dead processes, and segments below {@code first}. Under GATE, before this process
     * makes any of its own: after a power loss its generation may be one that was used before.
     */
    static void clean(Path directory, Storage storage, ControlFile control, LockFile locks, int ownSlot) {
        int first = control.firstVolatile();
        for (String name : storage.list(directory)) {
            int number = SegmentLayout.numberOf(name);
            boolean dropped = number >= 0 && number < first;
            if (dropped || isOfDead(name, locks, ownSlot)) {
                discard(directory.resolve(name), storage);
            }
        }
    }

    /**
     * Unlinks a name that nobody looks for any more. Where a file that is open or mapped keeps its names (Windows), it
     * stays, as after a kill: a second name of a segment that others are in already. A later opening removes it.
     */
    static void discard(Path name, Storage storage) {
        try {
            storage.delete(name);
        } catch (StorageException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "left for a later opening", e);
        }
    }

    private static boolean isOfDead(String name, LockFile locks, int ownSlot) {
        Matcher parts = NAME.matcher(name);
        if (!parts.matches()) {
            return false;
        }
        int slot = Integer.parseInt(parts.group(1));
        return slot == ownSlot || !locks.isHeld(LockFile.live(slot));
    }
}
