package dev.larder.memory;

/** The users that may read and write the files that are created. No file is ever readable by every user. */
public enum Access {
    /** The owner alone: files 0600, directories 0700. */
    OWNER,
    /** The owner and the group: files 0660, directories 0770. */
    GROUP
}
