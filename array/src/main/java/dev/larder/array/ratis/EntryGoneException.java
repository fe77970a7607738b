package dev.larder.array.ratis;

import java.io.IOException;

/** Reports that an entry was dropped just before it was to be sent to a member that lacks it. */
final class EntryGoneException extends IOException {

    private static final long serialVersionUID = 1;

    EntryGoneException(long index) {
        super("entry " + index + " has been dropped");
    }
}
