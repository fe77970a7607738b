package dev.larder.server.transport;

import dev.larder.resp.ReplyOutput;
import dev.larder.server.client.Link;
import dev.larder.server.session.Session;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A socket, and the session on it.
 *
 * <pre>
 * read -> the loop's array -> session       nothing left: the array is free for the next connection
 *                  |  part of a request left
 *                  v
 *          an array of the connection       until the request is whole
 * </pre>
 *
 * <p>While the session takes no requests, or the client does not read its replies, little or nothing is read. TCP then stops
 * the client.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a failed write closes the connection, which is reported here
final class Connection extends ChannelInboundHandlerAdapter implements Link {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.server");

    /** How many bytes are written before they are sent, while there are more requests. */
    private static final int WRITTEN_MAX_BYTES = 1 << 20;

    /** How many bytes a connection reads before its session says that it needs more. */
    private static final int PART_BYTES = 1 << 10;

    /** How much room a long argument has at first, whatever its announced length. */
    private static final int EXPECTED_MIN_BYTES = 16 << 10;

    /** How many bytes are read from a client that waits for keys. */
    private static final int HELD_MAX_BYTES = 1 << 20;

    /** How many bytes are read from a client whose replies wait for a commit, or for other nodes: the replies come soon. */
    private static final int AHEAD_MAX_BYTES = 64 << 10;

    /** If this many bytes are left after replies were sent, the connection records when the client has read them. */
    private static final int SLOW_BYTES = 64 << 10;

    private final LoopMemory memory;
    private final SessionFactory sessions;
    private final boolean encrypted;
    private @Nullable Channel channel;
    private @Nullable TurnBuffer output;
    private @Nullable Session session;

    /** The bytes that were read and that the session has not taken; null if there are none. */
    private @Nullable ByteBuffer rest;

    private boolean ended;

    /** Whether the session has stopped because much is written. */
    private boolean full;

    private boolean turning;

    /** Whether the client sends no more. */
    private boolean inputEnded;

    private boolean closesAfterLastReply;
    private boolean closesAfterFlush;

    /** How many bytes were given to the channel, whether the client has read them or not. */
    private long flushedBytes;

    /** Whether the client did not read at once what was sent, so that the connection records when it has. */
    private boolean slowlyTaken;

    /** Creates a connection on a socket; {@code encrypted}: the input here has been decrypted. */
    Connection(LoopMemory memory, SessionFactory sessions, boolean encrypted) {
        this.memory = memory;
        this.sessions = sessions;
        this.encrypted = encrypted;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        channel = context.channel();
        output = new TurnBuffer(context.alloc());
        session = sessions.session(this, memory);
        turn();
        context.fireChannelActive();
    }

    private Channel channel() {
        return Objects.requireNonNull(channel, "not connected yet");
    }

    private Session session() {
        return Objects.requireNonNull(session, "not connected yet");
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf read = (ByteBuf) message;
        session().node().traffic().read(read.readableBytes());
        try {
            take(read);
            if (rest != null && !ended) {
                session().noteUse(); // a part of a request, which may come slowly
            }
        } finally {
            read.release();
        }
    }

    private void take(ByteBuf read) {
        ByteBuffer kept = rest;
        if (kept != null) {
            rest = append(kept, read);
            processRest();
            return;
        }
        ByteBuffer shared = memory.buffer();
        while (read.isReadable()) {
            shared.clear();
            int bytes = Math.min(shared.capacity(), read.readableBytes());
            shared.limit(bytes);
            read.readBytes(shared);
            shared.flip();
            session().process(shared);
            if (shared.hasRemaining()) {
                keep(shared, read);
                return;
            }
        }
    }

    /** Keeps the bytes that the session has not taken, and all that was read behind them. */
    private void keep(ByteBuffer shared, ByteBuf read) {
        long needed = expected(shared, read.readableBytes());
        long room = (long) shared.remaining() + Math.max(read.readableBytes(), Math.max(needed, PART_BYTES));
        ByteBuffer own = ByteBuffer.allocate(capacity(room));
        own.put(shared);
        append(own.flip(), read);
        rest = own;
        if (read.readableBytes() > 0) {
            throw new IllegalStateException("bytes were left");
        }
        processRest();
    }

    /** Returns how much more room there should be: what the request needs, but no more than is here already. */
    private long expected(ByteBuffer kept, int added) {
        long here = Math.max(EXPECTED_MIN_BYTES, (long) kept.remaining() + added);
        return Math.min(session().missingBytes(kept), here);
    }

    private static int capacity(long bytes) {
        return (int) Math.min(bytes, Integer.MAX_VALUE - 8);
    }

    /** Returns a buffer of all kept and all new bytes, from which the session can take requests. */
    private ByteBuffer append(ByteBuffer kept, ByteBuf read) {
        int added = read.readableBytes();
        ByteBuffer target = kept;
        if (kept.capacity() - kept.limit() < added) {
            long room = (long) kept.remaining() + Math.max(added, expected(kept, added));
            boolean fits = kept.capacity() >= room;
            target = fits
                    ? kept.compact()
                    : ByteBuffer.allocate(capacity(Math.max(room, growth(kept))))
                            .put(kept);
            target.flip();
        }
        int from = target.position();
        int end = target.limit();
        target.limit(end + added);
        target.position(end);
        read.readBytes(target);
        target.position(from);
        return target;
    }

    private static long growth(ByteBuffer kept) {
        return Math.min(2L * kept.remaining(), kept.remaining() + (1L << 20));
    }

    private void processRest() {
        ByteBuffer kept = rest;
        if (kept != null) {
            session().process(kept);
            if (!kept.hasRemaining()) {
                rest = null;
            }
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        turn();
    }

    /** Ends a turn, and continues if the session and the client keep up. */
    private void turn() {
        if (ended || turning) {
            return;
        }
        turning = true;
        try {
            session().endTurn();
            while (full && !ended && !session().isWaiting() && channel().isWritable()) {
                full = false;
                processRest();
                session().endTurn();
            }
        } finally {
            turning = false;
        }
        if (!ended) {
            readOn();
            closeIfAnswered();
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof ChannelInputShutdownEvent) {
            inputEnded = true;
            if (!ended && session != null) {
                readOn();
                closeIfAnswered();
            }
        }
        context.fireUserEventTriggered(event);
    }

    /** Closes the connection of a client that sends no more, when it has the replies to its requests. */
    private void closeIfAnswered() {
        if (!inputEnded || closesAfterLastReply) {
            return;
        }
        if (!session().isWaiting() && !full) {
            closesAfterLastReply = true;
            channel().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        } else if (session().isWaiting() && !session().isAnswering()) {
            channel().close(); // the session waits for other clients, and its reply is not awaited
        }
    }

    private void readOn() {
        channel().config().setAutoRead(!inputEnded && reads() && channel().isWritable());
    }

    /**
     * Returns whether the socket is read. It is read even while the client waits for keys, to notice when the client
     * disconnects. To stop and to resume takes two system calls, so a short wait does not stop it either.
     */
    private boolean reads() {
        if (session().waitsForKeys()) {
            return queryBytes() < HELD_MAX_BYTES;
        }
        return session().waitsShortly()
                ? queryBytes() < AHEAD_MAX_BYTES
                : !session().isPaused();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (session != null && context.channel().isWritable()) {
            resume();
        }
        context.fireChannelWritabilityChanged();
    }

    @Override
    public void resume() {
        if (turning) {
            full = true; // the client has read what was just sent: the turn continues
        } else if (!ended) {
            if (channel().isWritable()) {
                processRest();
            } else {
                full = true; // the client has to read what it got for earlier requests
            }
            turn();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        end();
        context.fireChannelInactive();
    }

    private void end() {
        if (!ended) {
            ended = true;
            rest = null;
            if (output != null) {
                output.release();
            }
            if (session != null) {
                session.end();
            }
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        boolean client = cause instanceof IOException || cause.getCause() instanceof IOException;
        if (!client) { // a client that leaves, or has no certificate, is no error of the server
            LOGGER.log(System.Logger.Level.ERROR, remoteAddress() + ": " + cause, cause);
        }
        context.close();
    }

    @Override
    public ReplyOutput output() {
        return Objects.requireNonNull(output, "not connected yet");
    }

    private @Nullable ByteBuf takeWritten() {
        ByteBuf written = Objects.requireNonNull(output).take();
        if (written != null) {
            session().node().traffic().written(written.readableBytes());
            flushedBytes += written.readableBytes();
        }
        return written;
    }

    @Override
    public void flush() {
        ByteBuf written = takeWritten();
        if (written != null) {
            channel()
                    .writeAndFlush(
                            isSlow() ? exact(written) : written, channel().voidPromise());
            if (!slowlyTaken && waitingBytes() > SLOW_BYTES) {
                slowlyTaken = true;
                channel().writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(all -> taken());
            }
        }
    }

    /** Records that the client has read all that had been sent when it turned out to be slow. */
    private void taken() {
        slowlyTaken = false;
        if (!ended) {
            session().noteUse();
        }
    }

    /** Returns whether the client has not read all that was sent before. */
    private boolean isSlow() {
        return waitingBytes() > 0;
    }

    /** Returns how many of the sent bytes the client has not read. */
    private long waitingBytes() {
        ChannelOutboundBuffer sent = channel().unsafe().outboundBuffer();
        return sent == null ? 0 : sent.totalPendingWriteBytes();
    }

    /** Returns the bytes in a buffer of their length, if much of their own is empty: many small buffers may have to wait. */
    private ByteBuf exact(ByteBuf written) {
        int bytes = written.readableBytes();
        if (bytes > written.capacity() / 2) {
            return written;
        }
        try {
            return channel().alloc().directBuffer(bytes, bytes).writeBytes(written);
        } finally {
            written.release();
        }
    }

    /** Runs a task of the session. If it fails, it is unknown what the client was told, so the connection is closed. */
    private void run(Runnable task) {
        if (ended) {
            return;
        }
        try {
            task.run();
        } catch (RuntimeException | Error e) { // the loop would only log it, and the client would wait
            LOGGER.log(System.Logger.Level.ERROR, remoteAddress() + ": " + e, e);
            abort();
        }
    }

    @Override
    public void execute(Runnable task) {
        try {
            channel().eventLoop().execute(() -> run(task));
        } catch (RejectedExecutionException e) {
            LOGGER.log(System.Logger.Level.DEBUG, "the server stops: {0}", e.getMessage());
        }
    }

    @Override
    public Runnable executeLater(Runnable task, long delayMillis) {
        var due = channel().eventLoop().schedule(() -> run(task), delayMillis, TimeUnit.MILLISECONDS);
        return () -> due.cancel(false);
    }

    @Override
    public void closeAfterFlush() {
        ByteBuf written = takeWritten();
        if (written != null) {
            closesAfterFlush = true;
            channel().writeAndFlush(written).addListener(ChannelFutureListener.CLOSE);
        } else if (!closesAfterFlush) { // else the last reply may still be on its way
            channel().close();
        }
    }

    @Override
    public void abort() {
        Objects.requireNonNull(output).release();
        channel().close();
    }

    @Override
    public String remoteAddress() {
        return text(channel().remoteAddress());
    }

    @Override
    public String localAddress() {
        return text(channel().localAddress());
    }

    private static String text(@Nullable SocketAddress address) {
        if (address instanceof InetSocketAddress internet) {
            String host = internet.getAddress().getHostAddress();
            return (host.contains(":") ? "[" + host + "]" : host) + ":" + internet.getPort();
        }
        return String.valueOf(address);
    }

    @Override
    public boolean isEncrypted() {
        return encrypted;
    }

    @Override
    public boolean isFull() {
        boolean now = Objects.requireNonNull(output).sizeBytes() > WRITTEN_MAX_BYTES;
        full |= now;
        return now;
    }

    @Override
    public void keepAlive(int seconds) {
        TransportKind.keepAlive(channel(), seconds);
    }

    @Override
    public long number() {
        return session().id();
    }

    @Override
    public long queryBytes() {
        ByteBuffer kept = rest;
        return kept == null ? 0 : kept.remaining();
    }

    @Override
    public long queryRoomBytes() {
        ByteBuffer kept = rest;
        return kept == null ? 0 : kept.capacity() - kept.remaining();
    }

    @Override
    public long sentBytes() {
        ChannelOutboundBuffer sent = channel().unsafe().outboundBuffer();
        return sent == null ? flushedBytes : flushedBytes - sent.totalPendingWriteBytes() + sent.currentProgress();
    }

    @Override
    public long pendingBytes() {
        return Objects.requireNonNull(output).sizeBytes() + waitingBytes();
    }
}
