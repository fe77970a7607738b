import org.jspecify.annotations.NullMarked;

/**
 * Programs to copy from. What codecs of records look into is opened to the codecs; programs on the class path need nothing.
 */
@NullMarked
module dev.larder.examples {
    requires dev.larder.lucene;
    requires dev.larder.map;
    requires dev.larder.memory;
    requires dev.larder.queue;
    requires static org.jspecify;

    opens dev.larder.examples to
            dev.larder.codec;
}
