package dev.larder.log.segment;

/** What a session that changes nothing may rely on: how far it may read, and which claims no process will commit. */
public interface ReadView extends AutoCloseable {

    /** Returns where reading ends after a loss of power from which no process has recovered; otherwise no position reaches it. */
    long limit();

    /** Checks again whether a process has recovered the log since; returns whether more may be read now. */
    boolean raiseLimit();

    /** Returns whether a live process holds a slot. */
    boolean isAlive(int slot);

    /** Returns whether the writer of a RESERVED word is dead and left it to become padding: a reader may skip it. */
    boolean isAbandoned(Segment segment, long offset, long word);

    /** Keeps the files of dropped segments from being used again, as long as the session is open. */
    void keepFiles();

    @Override
    void close();
}
