package dev.larder.server.transport;

import io.netty.channel.Channel;
import io.netty.channel.ChannelConfig;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollChannelOption;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringChannelOption;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;

/** The interfaces by which a system reports that sockets are ready. */
enum TransportKind {
    EPOLL {
        @Override
        IoHandlerFactory handlers() {
            return EpollIoHandler.newFactory();
        }

        @Override
        Class<? extends ServerChannel> channel() {
            return EpollServerSocketChannel.class;
        }
    },
    IO_URING {
        @Override
        IoHandlerFactory handlers() {
            return IoUringIoHandler.newFactory();
        }

        @Override
        Class<? extends ServerChannel> channel() {
            return IoUringServerSocketChannel.class;
        }
    },
    NIO {
        @Override
        IoHandlerFactory handlers() {
            return NioIoHandler.newFactory();
        }

        @Override
        Class<? extends ServerChannel> channel() {
            return NioServerSocketChannel.class;
        }
    };

    private static final int KEEP_ALIVE_PROBES = 3;

    abstract IoHandlerFactory handlers();

    abstract Class<? extends ServerChannel> channel();

    /** Returns the best kind that this JVM may use: the native kinds need a permission, see the guide. */
    static TransportKind best() {
        return Epoll.isAvailable() ? EPOLL : NIO;
    }

    /** Makes the system probe a silent client, three times, before it gives the connection up. */
    static void keepAlive(Channel channel, int seconds) {
        ChannelConfig config = channel.config();
        config.setOption(ChannelOption.SO_KEEPALIVE, seconds > 0);
        if (seconds > 0) {
            int again = Math.max(1, seconds / KEEP_ALIVE_PROBES);
            if (channel instanceof EpollSocketChannel) {
                config.setOption(EpollChannelOption.TCP_KEEPIDLE, seconds);
                config.setOption(EpollChannelOption.TCP_KEEPINTVL, again);
                config.setOption(EpollChannelOption.TCP_KEEPCNT, KEEP_ALIVE_PROBES);
            } else if (channel instanceof IoUringSocketChannel) {
                config.setOption(IoUringChannelOption.TCP_KEEPIDLE, seconds);
                config.setOption(IoUringChannelOption.TCP_KEEPINTVL, again);
                config.setOption(IoUringChannelOption.TCP_KEEPCNT, KEEP_ALIVE_PROBES);
            }
        }
    }

    /** Returns io_uring, or throws the reason why it is not available. */
    static TransportKind ioUring() {
        Throwable cause = IoUring.unavailabilityCause();
        if (cause != null) {
            throw new IllegalStateException("io_uring is not available here: " + cause, cause);
        }
        return IO_URING;
    }
}
