package dev.larder.lab.load;

import java.util.List;

/** What is asked for, request after request; the same seed gives the same requests. */
public interface Workload {

    /** Returns the names of the kinds of request, such as {@code get} and {@code put}. */
    List<String> kinds();

    /** Fills in the next request. Called by one thread. */
    void next(Request request);
}
