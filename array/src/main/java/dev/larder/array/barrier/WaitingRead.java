package dev.larder.array.barrier;

/** A read that waits for the barrier. It is called once, by any thread, and must not wait then. */
public interface WaitingRead {

    /** Lets the read go, once the stripe has applied an index: it then sees all that was acknowledged before it came. */
    void confirmed(long index);

    /** Ends the read with an error. */
    void refused(Refusal why);
}
