import org.jspecify.annotations.NullMarked;

/** A segmented, append-only, memory-mapped log that any number of processes write and read. */
@NullMarked
module dev.larder.log {
    requires transitive dev.larder.memory;
    requires static org.jspecify;
}
