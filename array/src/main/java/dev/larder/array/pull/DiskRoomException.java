package dev.larder.array.pull;

import java.io.IOException;
import java.io.Serial;

/** Reports that the disk has no room for the files of a pull. */
final class DiskRoomException extends IOException {

    @Serial
    private static final long serialVersionUID = 1L;

    private final long bytes;

    DiskRoomException(String message, long bytes) {
        super(message);
        this.bytes = bytes;
    }

    /** Returns how many bytes the pull lacks. */
    long bytes() {
        return bytes;
    }
}
