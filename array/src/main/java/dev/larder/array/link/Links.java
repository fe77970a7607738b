package dev.larder.array.link;

import dev.larder.memory.StorageException;
import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.codec.LengthFieldPrepender;
import io.netty.handler.timeout.IdleStateHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The links of a node. It connects to each other node, retrying until the node is there, and accepts the other nodes'
 * connections. A frame goes out on this node's own connection, and its answer comes back on it. One thread serves all links.
 *
 * <pre>
 * 0        4
 * | length | frame: a greeting, then messages |    at most 1 MiB; an empty one asks whether the other is there
 * </pre>
 *
 * Thread-safe.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the connection's end shows whether a write failed
public final class Links implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");

    /** The most bytes of a frame, without its length field. */
    public static final int FRAME_MAX_BYTES = 1 << 20;

    private static final int LENGTH_BYTES = 4;

    /** The most bytes that may wait to be sent: some hundred thousand questions. A silent node is given up soon. */
    private static final int WAITING_MOST_BYTES = 16 << 20;

    private static final int CONNECT_MOST_MILLIS = 1000;
    private static final long AGAIN_MILLIS = 200;

    /** The pause after a link has ended, before a check whether the process has ended as well. */
    private static final long LOOK_MILLIS = 20;

    private static final int SILENT_SECONDS = 1;

    /** A node that is refused tries again five times a second. */
    private static final long TOLD_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final int TOLD_MOST = 1000;

    private record Refused(String host, @Nullable String why) {}

    /**
     * A node at an address, to which one connection at a time is made. A route whose node has another address, or has left, is void,
     * even if the node returns to the same address later.
     */
    static final class Route {

        private final int node;
        private final InetSocketAddress address;

        private Route(int node, InetSocketAddress address) {
            this.node = node;
            this.address = address;
        }

        int node() {
            return node;
        }
    }

    /** Whether epoll is used, as in the server's loops: where the JVM allows native libraries, else NIO. */
    private static final boolean IS_EPOLL = Epoll.isAvailable();

    private final LinkOptions options;
    private final FrameReceiver receiver;
    private final Greeting greeting;
    private final EventLoopGroup loop;
    private final ChannelGroup accepted = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE, true);
    private final Map<Integer, Channel> linked = new ConcurrentHashMap<>();
    private final Channel listening;
    private volatile Map<Integer, Route> routes = Map.of();
    private final Map<Integer, Integer> refusals = new ConcurrentHashMap<>();
    private volatile RefusalListener refusalListener = (node, times) -> {};
    private final Set<Integer> silent = ConcurrentHashMap.newKeySet();

    /** When the refusals of a host were last logged, by the host and the reason. Used by the loop's one thread. */
    private final Map<Refused, Long> toldNanos = new HashMap<>();

    private volatile SilenceListener silenceListener = node -> {};
    private volatile boolean closed;

    private Links(LinkOptions options, FrameReceiver receiver) {
        this.options = options;
        this.receiver = receiver;
        this.greeting = new Greeting(Greeting.VERSION, options.array(), options.node());
        this.loop = new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("larder-links", true), handlers());
        try {
            this.listening = listen();
        } catch (RuntimeException | Error e) {
            loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
            throw e;
        }
    }

    private static IoHandlerFactory handlers() {
        return IS_EPOLL ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
    }

    /**
     * Starts to listen and to connect.
     *
     * @throws StorageException if it cannot listen
     */
    public static Links open(LinkOptions options, FrameReceiver receiver) {
        Links links = new Links(options, receiver);
        links.nodes(options.nodes());
        return links;
    }

    /**
     * Sets the other nodes of the array, and where they listen. Connections to nodes that are gone end. New nodes are connected
     * to, unless their host is not known.
     *
     * @throws IllegalArgumentException if an address needs TLS, and TLS is not configured
     */
    public void nodes(Map<Integer, InetSocketAddress> others) {
        Map<Integer, InetSocketAddress> next = new LinkOptions(
                        options.array(), options.node(), options.address(), others, options.encryption())
                .nodes();
        Map<Integer, Route> before = routes;
        Map<Integer, Route> now = new HashMap<>();
        next.forEach((node, address) -> {
            Route known = before.get(node);
            now.put(node, known != null && known.address.equals(address) ? known : new Route(node, address));
        });
        routes = Map.copyOf(now);
        before.values().stream().filter(route -> !isCurrent(route)).forEach(route -> {
            Channel channel = linked.get(route.node);
            if (channel != null) {
                channel.close();
            }
        });
        now.values().stream().filter(route -> before.get(route.node) != route).forEach(this::connect);
    }

    private boolean isCurrent(Route route) {
        return routes.get(route.node) == route;
    }

    private Channel listen() {
        ChannelFuture bound = new ServerBootstrap()
                .group(loop)
                .channel(IS_EPOLL ? EpollServerSocketChannel.class : NioServerSocketChannel.class)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        accepted.add(channel);
                        begin(channel, null);
                    }
                })
                .bind(options.address())
                .awaitUninterruptibly();
        Throwable cause = bound.cause();
        if (cause != null) {
            throw new StorageException(
                    "links cannot listen on " + options.address() + ": " + cause.getMessage(), cause);
        }
        return bound.channel();
    }

    private void connect(Route route) {
        if (closed || !isCurrent(route) || route.address.isUnresolved()) {
            return; // called again once the host is known: here the thread would wait for the name service
        }
        new Bootstrap()
                .group(loop)
                .channel(IS_EPOLL ? EpollSocketChannel.class : NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_MOST_MILLIS)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        begin(channel, route);
                    }
                })
                .connect(route.address)
                .addListener(future -> {
                    if (!future.isSuccess()) {
                        again(route, AGAIN_MILLIS);
                        refused(route.node, future.cause());
                    }
                });
    }

    private void refused(int node, Throwable cause) {
        if (cause instanceof ConnectException && !(cause instanceof ConnectTimeoutException)) {
            refusalListener.refused(node, refusals.merge(node, 1, Integer::sum));
        }
    }

    /** Sets the listener for nodes whose hosts refuse connections. */
    public void onRefusal(RefusalListener listener) {
        refusalListener = listener;
    }

    /** Sets the listener for nodes that were silent. */
    public void onSilence(SilenceListener listener) {
        silenceListener = listener;
    }

    /** Called when the connection to a node is given up because the node is silent. */
    void silent(int node) {
        silent.add(node);
        silenceListener.silent(node);
    }

    private void begin(SocketChannel channel, @Nullable Route route) {
        options.encryption()
                .ifPresent(encryption -> channel.pipeline()
                        .addLast(encryption.context(route != null).newHandler(channel.alloc())));
        channel.pipeline()
                .addLast(new IdleStateHandler(SILENT_SECONDS, 0, 0))
                .addLast(new LengthFieldBasedFrameDecoder(
                        LENGTH_BYTES + FRAME_MAX_BYTES, 0, LENGTH_BYTES, 0, LENGTH_BYTES))
                .addLast(new LengthFieldPrepender(LENGTH_BYTES))
                .addLast(new LinkHandler(this, route));
    }

    private void again(Route route, long millis) {
        if (!loop.isShuttingDown()) {
            loop.schedule(() -> connect(route), millis, TimeUnit.MILLISECONDS);
        }
    }

    boolean isEncrypted() {
        return options.encryption().isPresent();
    }

    Greeting greeting() {
        return greeting;
    }

    FrameReceiver receiver() {
        return receiver;
    }

    /** Returns why a greeting is rejected; null if it is accepted. */
    @Nullable
    String stranger(Greeting other, @Nullable Integer expected) {
        if (!other.array().equals(options.array())) {
            return "it belongs to array " + other.array() + ", this node to " + options.array();
        }
        if (other.version() != Greeting.VERSION) {
            return "it has version " + other.version() + " of the links, this node " + Greeting.VERSION;
        }
        if (!routes.containsKey(other.node())) {
            return "no node of the array has number " + other.node();
        }
        return expected == null || expected == other.node()
                ? null
                : "node " + other.node() + " answers at the address of node " + expected;
    }

    /** Returns whether the refusal of a host is to be logged: once a minute for each reason. */
    boolean isNews(@Nullable SocketAddress other, @Nullable String why) {
        long now = System.nanoTime();
        toldNanos.values().removeIf(told -> now - told >= TOLD_AGAIN_NANOS);
        String host = other instanceof InetSocketAddress known ? known.getHostString() : String.valueOf(other);
        return toldNanos.size() < TOLD_MOST && toldNanos.putIfAbsent(new Refused(host, why), now) == null;
    }

    void linked(Route route, Channel channel) {
        int node = route.node;
        linked.put(node, channel);
        if (!isCurrent(route)) { // the node has got another address since this connection was begun
            linked.remove(node, channel);
            channel.close();
            return;
        }
        refusals.remove(node);
        if (silent.remove(node)) {
            silenceListener.silent(node);
        }
    }

    /** Connects again after the end of a connection, unless the node has another address now: another connection goes there. */
    void lost(Route route, Channel channel) {
        boolean wasLinked = linked.remove(route.node, channel);
        again(route, wasLinked ? LOOK_MILLIS : AGAIN_MILLIS);
    }

    /** Returns whether a node is linked, so that a frame may reach it. */
    public boolean isLinked(int node) {
        return linked.containsKey(node);
    }

    /**
     * Sends a small frame to a node, after all frames that wait to be sent. The frame is lost if the node is not linked, or has
     * accepted no data for long. Never waits.
     */
    public void send(int node, ByteBuffer frame) {
        send(node, frame, WAITING_MOST_BYTES);
    }

    /** Sends a frame that may be lost: if the node is not linked, or other frames wait to be sent to it. Never waits. */
    public void sendIfWritable(int node, ByteBuffer frame) {
        send(node, frame, 0);
    }

    private void send(int node, ByteBuffer frame, long waitingMost) {
        Channel channel = linked.get(node);
        if (channel != null && channel.bytesBeforeWritable() <= waitingMost) {
            channel.writeAndFlush(Unpooled.wrappedBuffer(frame));
        }
    }

    /** Runs a task in the thread of the links again and again, even if it fails. */
    public void every(long millis, Runnable task) {
        loop.scheduleWithFixedDelay(() -> runOnce(task), millis, millis, TimeUnit.MILLISECONDS);
    }

    /** Runs a task and catches what it throws, which would end the repetition. */
    private static void runOnce(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOGGER.log(System.Logger.Level.ERROR, "a task of the links failed, and will run again: " + e, e);
        }
    }

    /** Returns the address on which it listens. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listening.localAddress();
    }

    /** Closes all connections. No frame is received after this returns. */
    @Override
    public void close() {
        closed = true;
        listening.close();
        linked.values().forEach(Channel::close);
        accepted.close();
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
