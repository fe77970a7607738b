package dev.larder.log;

import java.util.Optional;
import java.util.function.Supplier;
import jdk.jfr.FlightRecorder;

/**
 * Events of the flight recorder, made only once there is one. The first event class of a JVM that is initialised loads the
 * recorder's own hundreds of classes: half a second of a busy machine, which would be spent within somebody's append.
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
