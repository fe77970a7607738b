package dev.larder.server.push;

/** Takes what is sent without a request: the session of a client. Thread-safe. */
@FunctionalInterface
public interface Receiver {

    /** Takes a push, to be sent behind those that were taken before. Never blocks. */
    void take(Push push);
}
