package dev.larder.array.ratis;

import java.io.IOException;

/** An entry was to be sent to a member that lacks it, and has just been dropped. */
final class EntryGoneException extends IOException {

    private static final long serialVersionUID = 1;

    EntryGoneException(long index) {
        super("entry " + index + " has been dropped");
    }
}
