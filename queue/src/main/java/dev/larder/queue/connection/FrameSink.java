package dev.larder.queue.connection;

import dev.larder.codec.Schema;
import java.io.IOException;
import java.io.OutputStream;

/** Writes messages as frames. */
public record FrameSink(OutputStream out) implements MessageSink {

    @Override
    public void schema(int number, Schema schema) throws IOException {
        Frame.text(Frame.Kind.SCHEMA, number, schema.text()).write(out);
    }

    @Override
    public void message(long position, byte[] bytes) throws IOException {
        new Frame(Frame.Kind.MESSAGE, position, bytes).write(out);
    }

    @Override
    public void idle() throws IOException {
        new Frame(Frame.Kind.IDLE, 0).write(out);
        out.flush();
    }
}
