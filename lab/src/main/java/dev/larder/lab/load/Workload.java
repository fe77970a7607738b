package dev.larder.lab.load;

import dev.larder.cli.Figures;
import java.util.List;
import java.util.Optional;

/** What is asked for, request after request; the same seed gives the same requests. */
public interface Workload {

    /** Makes a workload of what a conductor says about it. */
    @FunctionalInterface
    interface Factory {
        Workload open(Figures settings, long seed);
    }

    /**
     * What a load is about, where other requests run in the background, as updates do beside searches.
     *
     * @param name of all these kinds together
     * @param kinds some of the workload's, by name
     */
    record Foreground(String name, List<String> kinds) {

        /** Copies the kinds. */
        public Foreground {
            kinds = List.copyOf(kinds);
        }
    }

    /** Returns the names of the kinds of request, such as {@code get} and {@code put}. */
    List<String> kinds();

    /** Returns what the load is about; empty when it is about all of its requests. */
    default Optional<Foreground> foreground() {
        return Optional.empty();
    }

    /** Fills in the next request. Called by one thread. */
    void next(Request request);
}
