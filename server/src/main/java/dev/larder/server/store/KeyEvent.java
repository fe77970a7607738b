package dev.larder.server.store;

import java.util.EnumSet;
import java.util.Set;

/**
 * An event of a key, with its text and its class in keyspace notifications. Every event but {@link #KEYMISS} is a change of
 * the key.
 */
public enum KeyEvent {
    DEL('g', "del"),
    EXPIRE('g', "expire"),
    PERSIST('g', "persist"),
    RENAME_FROM('g', "rename_from"),
    RENAME_TO('g', "rename_to"),
    MOVE_FROM('g', "move_from"),
    MOVE_TO('g', "move_to"),
    COPY_TO('g', "copy_to"),
    RESTORE('g', "restore"),
    SET('$', "set"),
    SETRANGE('$', "setrange"),
    INCRBY('$', "incrby"),
    INCRBYFLOAT('$', "incrbyfloat"),
    APPEND('$', "append"),
    SETBIT('$', "setbit"),
    EXPIRED('x', "expired"),
    EVICTED('e', "evicted"),
    XADD('t', "xadd"),
    XDEL('t', "xdel"),
    XTRIM('t', "xtrim"),
    XSETID('t', "xsetid"),
    XGROUP_CREATE('t', "xgroup-create"),
    /** The group came with the stream, which had not been there. */
    XGROUP_MKSTREAM('t', "xgroup-create"),
    XGROUP_CREATECONSUMER('t', "xgroup-createconsumer"),
    XGROUP_DELCONSUMER('t', "xgroup-delconsumer"),
    XGROUP_DESTROY('t', "xgroup-destroy"),
    XGROUP_SETID('t', "xgroup-setid"),
    NEW('n', "new"),
    KEYMISS('m', "keymiss");

    /** The events of a stream whose entries stay as they are. */
    private static final Set<KeyEvent> OF_GROUPS =
            EnumSet.of(XSETID, XGROUP_CREATE, XGROUP_CREATECONSUMER, XGROUP_DELCONSUMER, XGROUP_DESTROY, XGROUP_SETID);

    private final char category;
    private final String text;

    KeyEvent(char category, String text) {
        this.category = category;
        this.text = text;
    }

    /** Returns the letter of its class in {@code notify-keyspace-events}. */
    public char category() {
        return category;
    }

    /** Returns its name in a notification. */
    public String text() {
        return text;
    }

    /** Returns whether the key was changed in any way. */
    public boolean isChange() {
        return this != KEYMISS && this != NEW;
    }

    /**
     * Returns whether the key has another value or expiry than before. Clients that watch the key or keep copies learn of that.
     * Groups of a stream are not part of its value, as in Redis.
     */
    public boolean isChangeOfValue() {
        return isChange() && !OF_GROUPS.contains(this);
    }
}
