package dev.larder.queue;

/** When the place of a named tailer moves. Either way nothing is skipped: a message may come again after a crash. */
public enum Commit {
    /** When the handler of a message has returned: after a crash the message whose handler was cut short comes again. */
    WHEN_HANDLED,

    /** When {@link Tailer#commit} is called: after a crash everything since then comes again. */
    EXPLICIT
}
