package dev.larder.queue;

import dev.larder.codec.Schema;
import java.io.IOException;

/** Takes the messages of a queue in order, with the schemas before the messages that they are of. */
interface MessageSink {

    /** Takes a schema that was not sent yet. */
    void schema(int number, Schema schema) throws IOException;

    /** Takes a message. */
    void message(long position, byte[] bytes) throws IOException;

    /** Takes note that there is nothing more for now. */
    void idle() throws IOException;
}
