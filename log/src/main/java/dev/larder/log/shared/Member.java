package dev.larder.log.shared;

/**
 * This process among those that write the log: its locks, and the slot that it is registered in.
 *
 * @param locks the lock file, in which the byte LIVE of the slot is held
 * @param slot its slot in the control file
 */
public record Member(LockFile locks, int slot) {}
