import org.jspecify.annotations.NullMarked;

/** A segmented, append-only, memory-mapped log that any number of processes write and read. */
@NullMarked
@SuppressWarnings("module") // the layers above are compiled later
module dev.larder.log {
    requires transitive dev.larder.memory;
    requires jdk.jfr;
    requires static org.jspecify;

    exports dev.larder.log;
    exports dev.larder.log.append to
            dev.larder.map;
    exports dev.larder.log.layer to
            dev.larder.map,
            dev.larder.queue,
            dev.larder.server,
            dev.larder.tests.durability;
    exports dev.larder.log.random to
            dev.larder.map,
            dev.larder.queue;
}
