import org.jspecify.annotations.NullMarked;

/** A queue of messages: the log read in order, by appenders and tailers of any number of processes. */
@NullMarked
@SuppressWarnings("module") // the server is compiled later
module dev.larder.queue {
    requires transitive dev.larder.codec;
    requires transitive dev.larder.log;
    requires static org.jspecify;

    exports dev.larder.queue;
    exports dev.larder.queue.connection to
            dev.larder.serve,
            dev.larder.server;
}
