package dev.larder.log.write;

/** An appender, as the background sees it: what it has appended, and the segment that it is in. */
public interface Writer {

    /** Returns how many records it has appended. */
    long records();

    /** Returns how many bytes it has appended, words and padding included. */
    long bytes();

    /**
     * Returns the position that it claims, or has claimed and not committed, as a {@link ClaimMark}. Racy, but right for a
     * caller that has seen the claim.
     */
    long claimed();

    /** Records that a claim is given up; called by the thread inside. */
    void leaving(long mark);

    /** Returns whether a thread is appending through it. */
    boolean isAtWork();

    /**
     * Moves to the tail, unless a thread appends just now: an idle appender would pin the segment that it used last, and
     * those behind it.
     */
    void follow();

    /** Lets no append begin any more: the log has failed. An append that has begun may still return. */
    void stop();
}
