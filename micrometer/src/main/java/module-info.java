import org.jspecify.annotations.NullMarked;

/** Meters of logs, queues and maps for Micrometer. */
@NullMarked
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // Micrometer has no module descriptors
module dev.larder.micrometer {
    requires transitive dev.larder.map;
    requires transitive dev.larder.queue;
    requires transitive micrometer.core;
    requires static org.jspecify;

    exports dev.larder.micrometer;
}
