package dev.larder.queue;

import dev.larder.codec.Schema;
import dev.larder.codec.SchemaMapping;
import dev.larder.codec.schema.Schemas;
import dev.larder.log.FellBehindException;
import dev.larder.log.GoneException;
import dev.larder.log.LogOptions;
import dev.larder.memory.CorruptException;
import dev.larder.memory.LarderException;
import dev.larder.queue.connection.Frame;
import dev.larder.queue.connection.FrameSink;
import dev.larder.queue.connection.MessageSink;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;

/**
 * Copies the messages of one queue into another, in order, each exactly once. If either side is killed, the next copy
 * into the same directory continues where this one ended. The copy is a queue like any other, with the same schemas.
 * Its positions are its own. No other program may append to it.
 *
 * <p>Named tailers are not copied. In the new queue, each name begins at the oldest message.
 *
 * <p>The formats of the connection and of the stream are in {@code docs/formats/queue.md}.
 */
public final class QueueCopy {

    private QueueCopy() {}

    /** Copies the committed messages of a queue of this host; returns how many messages were appended. */
    public static long copy(
            LarderQueue source, Path target, LogOptions options, boolean follow, BooleanSupplier wanted) {
        return copy(source, target, options, CopyScope.COMMITTED, follow, wanted);
    }

    /**
     * Copies the messages of a queue of this host; returns how many messages were appended.
     *
     * @param target the directory of the copy, which is created if it is missing
     * @param options of the copy; a new copy takes the integrity and the largest segment of the source, and is refused if the
     *     options name others
     * @param scope which messages are copied
     * @param follow whether to wait for more at the end of the source; else the copy ends where the source ended when the copy
     *     began
     * @param wanted called repeatedly; the copy ends when it returns false
     * @throws LarderException if the target is not a copy of the source
     * @throws dev.larder.log.GoneException if the source has dropped the next message, or lost it
     * @throws CorruptException if the target has other messages than the source
     */
    public static long copy(
            LarderQueue source,
            Path target,
            LogOptions options,
            CopyScope scope,
            boolean follow,
            BooleanSupplier wanted) {
        long from = CopyTarget.place(target, options)
                .filter(begun -> begun.identity().equals(source.identity()))
                .map(CopyTarget.Begun::from)
                .orElse(0L);
        try (Tailer tailer = source.tailer()) {
            long sequence = moveTo(tailer, from, source.codecFolder().directory());
            try (CopyTarget copy = CopyTarget.open(target, SourceDescription.of(source.info(), sequence), options)) {
                MessagePump.of(source, tailer, scope, copy).run(follow, wanted);
                copy.settle();
                return copy.copied();
            }
        } catch (IOException e) {
            throw new LarderException(target + ": the copy failed: " + e.getMessage(), e);
        }
    }

    /**
     * Moves to the message where a copy continues, or to the oldest message if that one was dropped; returns its sequence.
     *
     * @param position 0 for the oldest message
     * @throws GoneException if the source has no message there: it has lost messages that the copy has
     */
    static long moveTo(Tailer tailer, long position, Path source) {
        try {
            return (position == 0 ? tailer.toStart() : tailer.moveTo(position)).sequence();
        } catch (FellBehindException e) {
            return moveTo(tailer, 0, source);
        } catch (IllegalArgumentException e) {
            throw new GoneException(source
                    + ": the source has no message at the position where the copy continues; it has lost messages: "
                    + e.getMessage());
        }
    }

    /** Copies the committed messages of a {@link QueueServer} of this host; returns how many messages were appended. */
    public static long copy(
            InetSocketAddress server, Path target, LogOptions options, boolean follow, BooleanSupplier wanted)
            throws IOException {
        RemoteQueue source = new RemoteQueue(server, ConnectionSecurity.none());
        return copy(source, target, options, CopyScope.COMMITTED, follow, wanted);
    }

    /**
     * Copies the messages of a {@link QueueServer}, over one connection; returns how many messages were appended. The
     * parameters are the same as for a queue of this host. {@link QueueReplication} reconnects by itself.
     *
     * @param scope which messages are requested
     * @throws IOException if the connection fails, or the server sends nothing for 30 s; call again to continue
     * @throws LarderException if the server refuses, or the target is not a copy of its queue
     */
    public static long copy(
            RemoteQueue source,
            Path target,
            LogOptions options,
            CopyScope scope,
            boolean follow,
            BooleanSupplier wanted)
            throws IOException {
        try (SourceConnection connection = new SourceConnection(source)) {
            SourceDescription description = connection.begin(CopyTarget.request(target, scope, options)
                    .orElse(SourceDescription.request(SourceDescription.NONE, scope, 0)));
            try (CopyTarget copy = CopyTarget.open(target, description, options)) {
                receive(connection, source.toString(), copy, follow, wanted);
                return copy.copied();
            }
        }
    }

    private static void receive(
            SourceConnection connection, String name, CopyTarget copy, boolean follow, BooleanSupplier wanted)
            throws IOException {
        boolean ended = false;
        while (!ended && wanted.getAsBoolean()) {
            Frame frame = connection.next();
            deliver(frame, copy, name);
            ended = frame.kind() == Frame.Kind.IDLE && !follow;
        }
        copy.settle();
    }

    /** Passes a frame of messages on. */
    static void deliver(Frame frame, MessageSink sink, String name) throws IOException {
        switch (frame.kind()) {
            case SCHEMA -> deliverSchema(frame, sink, name);
            case MESSAGE -> sink.message(frame.position(), frame.payload());
            case IDLE -> sink.idle();
            default -> throw new CorruptException(name + ": expected a message, got a frame of kind " + frame.kind());
        }
    }

    private static void deliverSchema(Frame frame, MessageSink sink, String name) throws IOException {
        if (!Schemas.isNumber(frame.position())) {
            throw new CorruptException(
                    name + ": a schema has number " + frame.position() + "; they are 1 to " + Schemas.NUMBER_MAX);
        }
        sink.schema((int) frame.position(), parsed(frame, name));
    }

    private static Schema parsed(Frame frame, String name) {
        try {
            return new Schema(frame.text());
        } catch (IllegalArgumentException e) {
            throw new CorruptException(name + ": cannot parse schema " + frame.position() + ": " + e.getMessage(), e);
        }
    }

    /**
     * Writes the messages of a queue as a stream of bytes, from the position of a tailer of that queue to the end.
     *
     * @throws IllegalArgumentException if the tailer is of another queue
     */
    public static void write(LarderQueue source, Tailer from, OutputStream out) throws IOException {
        from.requireOf(source.directory());
        SourceDescription.of(source.info(), SourceDescription.UNKNOWN).frame().write(out);
        MessagePump.of(source, from, CopyScope.COMMITTED, new FrameSink(out)).run(false, () -> true);
    }

    /**
     * Appends the messages of a stream that {@link #write} made; returns how many.
     *
     * @param name the stream, in error messages
     * @throws CorruptException if the stream is damaged, or goes on after its end; the messages before that are appended
     * @throws dev.larder.memory.TruncatedException if the stream ends within a frame
     */
    public static long read(InputStream in, String name, LarderQueue target) throws IOException {
        Frame frame = Frame.required(in, name);
        long bytes = frame.bytes();
        SourceDescription.parse(frame, name);
        try (Appender appender = target.appender()) {
            AppendingSink sink = new AppendingSink(appender, target);
            for (frame = Frame.required(in, name); frame.kind() != Frame.Kind.IDLE; frame = Frame.required(in, name)) {
                bytes += frame.bytes();
                deliver(frame, sink, name);
            }
            target.sync();
            requireEnd(in, name, bytes + frame.bytes());
            return sink.appended;
        }
    }

    private static void requireEnd(InputStream in, String name, long at) throws IOException {
        if (in.read() >= 0) {
            throw new CorruptException(name + ": more bytes follow the end mark, at byte " + at
                    + "; the messages before it are appended. Import each export by itself");
        }
    }

    /** Appends to a queue that may have its own messages and schemas, with other schema numbers. */
    private static final class AppendingSink implements MessageSink {

        private final Appender appender;
        private final SchemaMapping numbers;
        private long appended;

        AppendingSink(Appender appender, LarderQueue target) {
            this.appender = appender;
            this.numbers = new SchemaMapping(target.codecFolder());
        }

        @Override
        public void schema(int number, Schema schema) {
            numbers.add(number, schema);
        }

        @Override
        public void message(long position, byte[] bytes) {
            appender.append(numbers.translate(bytes));
            appended++;
        }

        @Override
        public void idle() {
            throw new AssertionError("the end is not delivered");
        }
    }
}
