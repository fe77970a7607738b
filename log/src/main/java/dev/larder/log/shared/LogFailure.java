package dev.larder.log.shared;

import dev.larder.log.LogFailedException;
import java.nio.file.Path;
import java.util.Objects;

/** Knows whether any process has failed the log, and makes the errors that report it. */
public final class LogFailure {

    private static final int REASON_STORE = 2;

    private final Path directory;
    private final ControlFile control;
    private final int slot;
    private volatile boolean fenced;

    public LogFailure(Path directory, ControlFile control, int slot) {
        this.directory = directory;
        this.control = control;
        this.slot = slot;
    }

    /** Throws if the log has failed. */
    public void check() {
        if (fenced) {
            throw new LogFailedException(directory + ": another process took this one for dead; open the log again");
        }
        long failed = control.failedVolatile();
        if (failed >>> 32 == ControlFile.REASON_REMOVED) {
            throw removed(control.path());
        }
        if (failed != 0) {
            throw new LogFailedException(directory + ": " + reason(failed) + " in slot " + ((int) failed - 1)
                    + "; committed records stay readable, and synced records are durable");
        }
    }

    private static String reason(long failed) {
        return switch ((int) (failed >>> 32)) {
            case ControlFile.REASON_CLOSE -> "the log could not be marked as closed by a process";
            case REASON_STORE -> "a store into a mapped file failed";
            default -> "a flush failed";
        };
    }

    /** Fails a log whose files were removed while it was open: records appended now would be gone with its last user. */
    public LogFailedException removed(Path controlFile) {
        if (slot >= 0) {
            control.fail(ControlFile.REASON_REMOVED, slot);
        }
        return new LogFailedException(controlFile + ": the file was removed or replaced while the log was open; the log"
                + " takes no more records, and its records are gone when the last process closes it");
    }

    /** Returns the error of a process that was judged dead while it lived. That process takes no further part in this log. */
    public LogFailedException fenced(String message) {
        fenced = true;
        return new LogFailedException(message);
    }

    /** Returns the error for a failure that this process met itself. */
    public LogFailedException failed(String what, Throwable cause) {
        return new LogFailedException(
                directory + ": " + what + " (" + words(cause) + "); the log takes no more"
                        + " records; committed records stay readable, and synced records are durable",
                cause);
    }

    /** Returns the text of an error; errors of the JVM may have none. */
    private static String words(Throwable cause) {
        return Objects.requireNonNullElse(cause.getMessage(), cause.toString());
    }

    /** Fails the log after an access to mapped memory that the system could not serve. */
    public LogFailedException storeFailed(Throwable error) {
        if (slot >= 0) {
            control.fail(REASON_STORE, slot); // a process that only reads cannot
        }
        return failed("an access to a mapped file failed", error);
    }
}
