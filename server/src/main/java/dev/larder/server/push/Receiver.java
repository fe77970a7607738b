package dev.larder.server.push;

/** A receiver of pushes: the session of a client. Thread-safe. */
@FunctionalInterface
public interface Receiver {

    /** Takes a push, which is sent behind the pushes that were taken before. Never blocks. */
    void take(Push push);
}
