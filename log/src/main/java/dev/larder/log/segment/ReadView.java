package dev.larder.log.segment;

/** What a session may believe that changes nothing: how far it may read, and which claims no process will commit. */
public interface ReadView extends AutoCloseable {

    /** Returns where reading ends after a loss of power that no process has recovered from; else no position reaches it. */
    long limit();

    /** Looks again whether a process has recovered the log since; returns whether more may be read now. */
    boolean raiseLimit();

    /** Returns whether a process lives in a slot. */
    boolean isAlive(int slot);

    /** Returns whether the writer of a RESERVED word is dead and left it for padding: a reader may go over it. */
    boolean isAbandoned(Segment segment, long offset, long word);

    /** Keeps the files of dropped segments from being used again, as long as the session is open. */
    void keepFiles();

    @Override
    void close();
}
