package dev.larder.queue.connection;

import dev.larder.codec.Schema;
import java.io.IOException;

/** A receiver of the messages of a queue, in order, with each schema before the messages that use it. */
public interface MessageSink {

    /** Takes a schema that was not sent yet. */
    void schema(int number, Schema schema) throws IOException;

    /** Takes a message. */
    void message(long position, byte[] bytes) throws IOException;

    /** Called when there are no more messages for now. */
    void idle() throws IOException;
}
