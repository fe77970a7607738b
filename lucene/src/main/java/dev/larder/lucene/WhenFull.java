package dev.larder.lucene;

/** What happens to a file for which the {@link MemoryBudget} has no room. */
public enum WhenFull {

    /** It is refused, with a {@link BudgetFullException}: everything is in memory, or somebody knows that it is not. */
    REFUSE,

    /**
     * It stays on the disk, and is read through a mapping: first those files make room that nobody has open, the one that
     * was opened longest ago first. They stay where even all of them would not make enough, and where a file is loaded with
     * {@link Loading#EAGER}. The default; a directory without a folder refuses the file.
     */
    LEAVE_ON_DISK
}
