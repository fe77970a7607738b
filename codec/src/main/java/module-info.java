import org.jspecify.annotations.NullMarked;

/** How values become bytes, and how they are read from where they lie. */
@NullMarked
@SuppressWarnings("module") // the queue is compiled later
module dev.larder.codec {
    requires transitive dev.larder.memory;
    requires static org.jspecify;

    exports dev.larder.codec;
    exports dev.larder.codec.schema to
            dev.larder.queue;
}
