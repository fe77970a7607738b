package dev.larder.log;

import java.util.Optional;
import java.util.function.Supplier;
import jdk.jfr.FlightRecorder;

/**
 * Creates events of the flight recorder only after a recording exists. The first initialised event class of a JVM loads
 * hundreds of the recorder's own classes. That takes half a second on a busy machine, and would happen within an
 * append.
 */
public final class FlightEvents {

    private FlightEvents() {}

    /**
     * Returns a new event if there has ever been a recording in this JVM; empty otherwise.
     *
     * @param made makes the event; the only code that may touch its class
     */
    public static <E> Optional<E> ifRecorded(Supplier<E> made) {
        return FlightRecorder.isInitialized() ? Optional.of(made.get()) : Optional.empty();
    }
}
