package dev.larder.log.shared;

/**
 * This process as one of the writers of the log: its locks, and the slot in which it is registered.
 *
 * @param locks the lock file, in which the slot's LIVE byte is held
 * @param slot its slot in the control file
 */
public record Member(LockFile locks, int slot) {}
