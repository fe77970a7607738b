import org.jspecify.annotations.NullMarked;

/** Codecs, which turn values into bytes and read them in place. */
@NullMarked
@SuppressWarnings("module") // the queue is compiled later
module dev.larder.codec {
    requires transitive dev.larder.memory;
    requires static org.jspecify;

    exports dev.larder.codec;
    exports dev.larder.codec.schema to
            dev.larder.map,
            dev.larder.queue;
}
