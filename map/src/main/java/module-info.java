import org.jspecify.annotations.NullMarked;

/** A map of entries outside the heap: a hash index over the log. */
@NullMarked
@SuppressWarnings("module") // the layers above are compiled later
module dev.larder.map {
    requires transitive dev.larder.codec;
    requires transitive dev.larder.log;
    requires jdk.jfr;
    requires static org.jspecify;

    exports dev.larder.map;
    exports dev.larder.map.pending to
            dev.larder.server;
}
