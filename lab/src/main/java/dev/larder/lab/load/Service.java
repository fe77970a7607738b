package dev.larder.lab.load;

/** A target's handler of requests. Called by several threads at once. */
@FunctionalInterface
public interface Service {

    /** The status of a served request. */
    int SERVED = 0;

    /** The status of a request for which the service threw. */
    int FAILED = 1;

    /** Serves a request and returns its status: {@link #SERVED}, or an own error above {@link #FAILED}. */
    int serve(int kind, long argument, byte[] payload);
}
