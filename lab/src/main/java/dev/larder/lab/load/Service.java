package dev.larder.lab.load;

/** What a target does with a request. Called by several threads at once. */
@FunctionalInterface
public interface Service {

    /** The status of a request that was served. */
    int SERVED = 0;

    /** The status of a request at which the service threw. */
    int FAILED = 1;

    /** Serves a request and returns its status: {@link #SERVED}, or an error of the service's own above {@link #FAILED}. */
    int serve(int kind, long argument, byte[] payload);
}
