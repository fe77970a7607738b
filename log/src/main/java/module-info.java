import org.jspecify.annotations.NullMarked;

/** A segmented, append-only, memory-mapped log that any number of processes write and read. */
@NullMarked
module dev.larder.log {
    requires transitive dev.larder.memory;
    requires jdk.jfr;
    requires static org.jspecify;

    exports dev.larder.log;
}
