import org.jspecify.annotations.NullMarked;

/** The protocol of Redis: requests, replies, and the table of commands. */
@NullMarked
module dev.larder.resp {
    requires static org.jspecify;

    exports dev.larder.resp;
}
