import org.jspecify.annotations.NullMarked;

/** Experiments that measure what Larder claims, and leave every response time behind. */
@NullMarked
module dev.larder.lab {
    requires dev.larder.queue;
    requires static org.jspecify;
}
