import org.jspecify.annotations.NullMarked;

/**
 * A Lucene index outside the heap: a {@link org.apache.lucene.store.Directory} whose files lie in memory, durable in a
 * folder.
 */
@NullMarked
module dev.larder.lucene {
    requires transitive org.apache.lucene.core;
    requires dev.larder.memory;
    requires java.management;
    requires jdk.management; // how much memory the machine, or the container, has
    requires jdk.unsupported; // com.sun.nio.file: reading past the page cache
    requires static org.jspecify;

    exports dev.larder.lucene;
}
