package dev.larder.server.transport;

import dev.larder.memory.StorageException;
import dev.larder.server.command.LoopDatabase;
import dev.larder.server.session.Node;
import dev.larder.server.session.Session;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Listens, and gives each connection a session. */
public final class Transport implements AutoCloseable {

    /** A port whose connections are encrypted. */
    public record EncryptedPort(int port, Encryption encryption) {}

    private static final int WRITE_LOW_BYTES = 256 << 10;
    private static final int WRITE_HIGH_BYTES = 1 << 20;
    private static final int BACKLOG = 511;
    private static final int STOP_SECONDS = 5;
    private static final int TICK_MILLIS = 100;
    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");

    private final TransportKind kind;
    private final EventLoopGroup acceptor;
    private final EventLoopGroup loops;
    private final Map<EventLoop, LoopMemory> memories = new ConcurrentHashMap<>();
    private @Nullable Future<?> ticks;
    private final List<Channel> listening = new ArrayList<>();

    private Transport(TransportKind kind, int loopCount) {
        this.kind = kind;
        this.acceptor = new MultiThreadIoEventLoopGroup(1, kind.handlers());
        this.loops = new MultiThreadIoEventLoopGroup(loopCount, kind.handlers());
    }

    /**
     * Listens on addresses.
     *
     * @param kind {@code auto}, {@code epoll}, {@code io_uring} or {@code nio}
     * @param optional the addresses that are left out if this machine does not have them, and has another one
     * @param encrypted a further port, for TLS; with it, a port of 0 means none
     * @param databases makes the access to the keys for each loop
     * @throws StorageException if an address cannot be listened on
     */
    public static Transport listen(
            String kind,
            int loopCount,
            List<InetAddress> addresses,
            Set<InetAddress> optional,
            int port,
            Optional<EncryptedPort> encrypted,
            Node node,
            Function<? super EventLoop, LoopDatabase> databases) {
        Transport transport = new Transport(kind(kind), loopCount);
        try {
            List<StorageException> left = new ArrayList<>();
            for (InetAddress address : addresses) {
                try {
                    transport.listen(address, port, encrypted, node, databases);
                } catch (StorageException e) {
                    if (!optional.contains(address) || isOfThisMachine(address)) {
                        throw e;
                    }
                    left.add(e);
                }
            }
            if (transport.listening.isEmpty()) {
                throw left.getFirst();
            }
            left.forEach(error ->
                    LOGGER.log(System.Logger.Level.INFO, error.getMessage() + "; the server does not listen there"));
            transport.tick(node);
            return transport;
        } catch (RuntimeException | Error e) {
            transport.close();
            throw e;
        }
    }

    /** Returns whether an address is one of this machine. If it is, a failure to listen on it has another cause. */
    private static boolean isOfThisMachine(InetAddress address) {
        try {
            return address.isAnyLocalAddress()
                    ? NetworkInterface.networkInterfaces()
                            .flatMap(NetworkInterface::inetAddresses)
                            .anyMatch(own -> own.getClass().equals(address.getClass()))
                    : NetworkInterface.getByInetAddress(address) != null;
        } catch (SocketException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "the addresses of this machine are not known", e);
            return true;
        }
    }

    /** Listens on an address, at one port or two. */
    private void listen(
            InetAddress address,
            int port,
            Optional<EncryptedPort> encrypted,
            Node node,
            Function<? super EventLoop, LoopDatabase> databases) {
        if (encrypted.isEmpty() || port > 0) {
            int sure = listening.isEmpty() ? port : port(); // if the system chooses one
            listen(new InetSocketAddress(address, sure), Optional.empty(), node, databases);
        }
        if (encrypted.isPresent()) {
            EncryptedPort other = encrypted.get();
            listen(new InetSocketAddress(address, other.port()), Optional.of(other.encryption()), node, databases);
        }
    }

    /** Makes the node do the work that is due, several times a second. */
    private void tick(Node node) {
        ticks = acceptor.next()
                .scheduleWithFixedDelay(() -> tickOnce(node), TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static void tickOnce(Node node) {
        try {
            node.tick();
        } catch (RuntimeException | Error e) { // the next tick comes nevertheless
            LOGGER.log(System.Logger.Level.ERROR, "a periodic task failed: " + e, e);
        }
    }

    private static TransportKind kind(String name) {
        return switch (name) {
            case "auto" -> TransportKind.best();
            case "epoll" -> TransportKind.EPOLL;
            case "io_uring" -> TransportKind.ioUring();
            case "nio" -> TransportKind.NIO;
            default ->
                throw new IllegalArgumentException("transport \"" + name + "\": must be auto, epoll, io_uring or nio");
        };
    }

    private void listen(
            InetSocketAddress address,
            Optional<Encryption> encryption,
            Node node,
            Function<? super EventLoop, LoopDatabase> databases) {
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(acceptor, loops)
                .channel(kind.channel())
                .option(ChannelOption.SO_BACKLOG, BACKLOG)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .childOption(ChannelOption.ALLOCATOR, PooledByteBufAllocator.DEFAULT)
                .childOption(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(WRITE_LOW_BYTES, WRITE_HIGH_BYTES))
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        encryption.ifPresent(one -> channel.pipeline().addLast(one.handler(channel.alloc())));
                        channel.pipeline()
                                .addLast(new Connection(
                                        memory(channel.eventLoop(), databases),
                                        (link, memory) -> new Session(node, link, memory.database()),
                                        encryption.isPresent()));
                    }
                });
        var bound = bootstrap.bind(address).awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new StorageException(
                    "cannot listen on " + address.getAddress().getHostAddress() + ":" + address.getPort() + ": "
                            + bound.cause().getMessage(),
                    bound.cause());
        }
        listening.add(bound.channel());
    }

    private LoopMemory memory(EventLoop loop, Function<? super EventLoop, LoopDatabase> databases) {
        return memories.computeIfAbsent(loop, key -> new LoopMemory(databases.apply(key)));
    }

    /** Returns the port, which the system has chosen if 0 was requested. */
    public int port() {
        return ((InetSocketAddress) listening.getFirst().localAddress()).getPort();
    }

    /** Returns the kind of sockets: {@code epoll}, {@code io_uring} or {@code nio}. */
    public String kind() {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    /** Closes all connections, and ends the loops. */
    @Override
    public void close() {
        if (ticks != null) {
            ticks.cancel(false);
        }
        listening.forEach(channel -> channel.close().awaitUninterruptibly());
        loops.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
        acceptor.shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
