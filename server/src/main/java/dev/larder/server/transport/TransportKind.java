package dev.larder.server.transport;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.uring.IoUring;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;

/** The ways in which a system tells that sockets are ready. */
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

    abstract IoHandlerFactory handlers();

    abstract Class<? extends ServerChannel> channel();

    /** Returns the best that this JVM may use: the native ones need a permission, see the guide. */
    static TransportKind best() {
        return Epoll.isAvailable() ? EPOLL : NIO;
    }

    /** Returns io_uring, or throws why it cannot be had. */
    static TransportKind ioUring() {
        Throwable cause = IoUring.unavailabilityCause();
        if (cause != null) {
            throw new IllegalStateException("io_uring is not available here: " + cause, cause);
        }
        return IO_URING;
    }
}
