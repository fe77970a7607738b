package dev.larder.memory;

/** Who may read and write the files that are created. Nothing is ever readable by the whole machine. */
public enum Access {
    /** The owner alone: files 0600, directories 0700. */
    OWNER,
    /** The owner and the group: files 0660, directories 0770. */
    GROUP
}
