import org.jspecify.annotations.NullMarked;

/** Tests of the whole build: the rules of the house, the guides, the distributions. Never published. */
@NullMarked
module dev.larder.tests {
    requires java.compiler;
    requires dev.larder.map;
    requires dev.larder.queue;
    requires static org.jspecify;
}
