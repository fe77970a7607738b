import org.jspecify.annotations.NullMarked;

/** A server that speaks Redis' protocol. */
@NullMarked
module dev.larder.server {
    requires transitive dev.larder.resp;
    requires dev.larder.codec;
    requires dev.larder.map;
    requires dev.larder.queue;
    requires io.netty.buffer;
    requires io.netty.common;
    requires io.netty.transport;
    requires io.netty.transport.classes.epoll;
    requires io.netty.transport.classes.io_uring;
    requires io.netty.handler;
    requires jdk.httpserver;
    requires jdk.jfr;
    requires static org.jspecify;

    exports dev.larder.server;
}
