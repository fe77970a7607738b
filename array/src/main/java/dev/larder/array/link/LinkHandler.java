package dev.larder.array.link;

import dev.larder.array.link.Links.Route;
import dev.larder.memory.CorruptException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.handler.timeout.IdleStateEvent;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One side of a connection between two nodes. The connecting side greets first; the accepting side greets only nodes that it
 * knows.
 *
 * <pre>
 * connects: (TLS) greeting ->              <- greeting, frames both ways
 * accepts:                 greeting is known? -> greeting
 * </pre>
 *
 * A machine that vanishes closes no connection. So the connecting side sends an empty frame in each second without an answer, and
 * the accepting side returns it. A side that receives nothing for {@link #SILENCE_MOST_SECONDS} closes.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the connection's end shows whether a write failed
final class LinkHandler extends SimpleChannelInboundHandler<ByteBuf> {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");
    private static final long GREETING_SECONDS = 5;

    /** As long as two elections may take: a shorter pause or a slow machine ends no link. */
    private static final int SILENCE_MOST_SECONDS = 5;

    private final Links links;

    /** The number of the other node. Null on the accepting side, until the other node has greeted. */
    private @Nullable Integer node;

    /** Where this node connects to. Null on the accepting side. */
    private final @Nullable Route route;

    private final boolean connects;
    private boolean greeted;
    private int silentSeconds;

    LinkHandler(Links links, @Nullable Route route) {
        this.links = links;
        this.route = route;
        this.node = route == null ? null : route.node();
        this.connects = route != null;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        context.executor()
                .schedule(
                        () -> {
                            if (!greeted) {
                                context.close();
                            }
                        },
                        GREETING_SECONDS,
                        TimeUnit.SECONDS);
        if (!links.isEncrypted()) {
            begin(context);
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent handshake) {
            if (handshake.isSuccess()) {
                begin(context);
            } else {
                refuse(context, "TLS: " + handshake.cause());
            }
        } else if (event instanceof IdleStateEvent && greeted) {
            silent(context);
        }
    }

    /** Handles a second in which nothing was received. */
    private void silent(ChannelHandlerContext context) {
        silentSeconds++;
        if (silentSeconds >= SILENCE_MOST_SECONDS) {
            LOGGER.log(
                    System.Logger.Level.INFO,
                    "node {0} has sent nothing for {1} s: this node closes the link",
                    node,
                    SILENCE_MOST_SECONDS);
            context.close();
            if (connects && node != null) {
                links.silent(node);
            }
        } else if (connects) {
            context.writeAndFlush(Unpooled.EMPTY_BUFFER);
        }
    }

    private void begin(ChannelHandlerContext context) {
        if (connects) {
            context.writeAndFlush(Unpooled.wrappedBuffer(links.greeting().encode()));
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
        silentSeconds = 0;
        try {
            if (greeted && !frame.isReadable()) {
                answerSilence(context);
            } else if (!greeted) {
                greet(context, Greeting.decode(frame.nioBuffer()));
            } else if (node != null) {
                ByteBuffer answer = links.receiver().received(node, frame.nioBuffer());
                if (answer != null) {
                    context.writeAndFlush(Unpooled.wrappedBuffer(answer));
                }
            }
        } catch (CorruptException e) {
            refuse(context, e.getMessage());
        }
    }

    private void answerSilence(ChannelHandlerContext context) {
        if (!connects) {
            context.writeAndFlush(Unpooled.EMPTY_BUFFER);
        }
    }

    private void greet(ChannelHandlerContext context, Greeting greeting) {
        String stranger = links.stranger(greeting, node);
        if (stranger != null) {
            refuse(context, stranger);
            return;
        }
        greeted = true;
        node = greeting.node();
        if (route != null) {
            links.linked(route, context.channel());
        } else {
            context.writeAndFlush(Unpooled.wrappedBuffer(links.greeting().encode()));
        }
    }

    private void refuse(ChannelHandlerContext context, @Nullable String why) {
        SocketAddress other = context.channel().remoteAddress();
        boolean isNews = links.isNews(other, why);
        LOGGER.log(
                isNews ? System.Logger.Level.WARNING : System.Logger.Level.DEBUG,
                "this node refuses a link with {0}: {1}",
                other,
                why);
        context.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        if (route != null) {
            links.lost(route, context.channel());
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOGGER.log(
                System.Logger.Level.DEBUG,
                "a link with {0} ends: {1}",
                context.channel().remoteAddress(),
                cause);
        context.close();
    }
}
