import org.jspecify.annotations.NullMarked;

/**
 * Programs to copy from. The packages of records are opened to the codecs; programs on the class path need no such line.
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
