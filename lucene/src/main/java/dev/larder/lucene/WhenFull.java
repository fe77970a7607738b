package dev.larder.lucene;

/** What the directory does with a file for which the {@link MemoryBudget} has no room. */
public enum WhenFull {

    /**
     * The file is refused with a {@link BudgetFullException}: either everything is in memory, or the caller knows that it is
     * not.
     */
    REFUSE,

    /**
     * The default: files without open inputs make room, the least recently opened first. They stay if even all of them would
     * not suffice, or for a load with {@link Loading#EAGER}. Without room, the file stays on the disk and is read through a
     * mapping; a directory without a folder refuses it.
     */
    LEAVE_ON_DISK
}
