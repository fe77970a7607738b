package dev.larder.queue;

/**
 * The moment at which the stored position of a named tailer moves. With either, no message is skipped: a message may
 * come again after a crash.
 */
public enum Commit {
    /** When the handler of a message returns. If a crash interrupts a handler, its message comes again. */
    WHEN_HANDLED,

    /** When {@link Tailer#commit} is called. After a crash, every message since that call comes again. */
    EXPLICIT
}
