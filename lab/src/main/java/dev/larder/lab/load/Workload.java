package dev.larder.lab.load;

import dev.larder.cli.Figures;
import java.util.List;
import java.util.Optional;

/** A source of requests; the same seed gives the same requests. */
public interface Workload {

    /** Creates a workload from a conductor's settings. */
    @FunctionalInterface
    interface Factory {
        Workload open(Figures settings, long seed);
    }

    /**
     * The main requests of a load, if others run in the background, like updates beside searches.
     *
     * @param name of these kinds together
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

    /** Returns the main requests; empty if all are. */
    default Optional<Foreground> foreground() {
        return Optional.empty();
    }

    /** Sets the next request. Called by one thread. */
    void next(Request request);
}
