package dev.larder.resp;

import java.util.Locale;

/** How a command uses one of its keys. The first four exclude each other. */
public enum KeyUse {
    /** Reads the key, and does not change it. */
    RO,
    /** Changes the key, depending on its old value. */
    RW,
    /** Replaces the value of the key, whatever it was. */
    OW,
    /** Removes the key. */
    RM,
    /** Its reply tells the client something of the value. */
    ACCESS,
    /** Changes the value, or makes the key. */
    UPDATE,
    /** Adds to the value, and changes nothing that was there. */
    INSERT,
    /** Removes from the value, or removes the key. */
    DELETE;

    /** Returns its name in replies: the first four in capitals. */
    public String text() {
        return compareTo(RM) <= 0 ? name() : name().toLowerCase(Locale.ROOT);
    }
}
