package dev.larder.array.barrier;

/** A read that waits for the barrier. The barrier calls it once, in any thread; the call must not wait. */
public interface WaitingRead {

    /** Lets the read run once the stripe has applied an index: it then sees all that was acknowledged before the read came. */
    void confirmed(long index);

    /** Ends the read with an error. */
    void refused(Refusal why);
}
