import org.jspecify.annotations.NullMarked;

/** Regions of bytes outside the heap, the storage they lie on, and the only native calls of Larder. */
@NullMarked
@SuppressWarnings("module") // the layers above are compiled later
module dev.larder.memory {
    requires jdk.management;
    requires static org.jspecify;

    exports dev.larder.memory;
    exports dev.larder.memory.raw to
            dev.larder.log,
            dev.larder.map,
            dev.larder.queue;
    exports dev.larder.memory.region;
}
