package dev.larder.server.transport;

import dev.larder.server.command.LoopDatabase;
import java.nio.ByteBuffer;

/** What the connections of one event loop share: the array into which each reads, and the access to the keys. */
final class LoopMemory {

    private static final int BUFFER_BYTES = 64 << 10;

    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private final LoopDatabase database;

    LoopMemory(LoopDatabase database) {
        this.database = database;
    }

    ByteBuffer buffer() {
        return buffer;
    }

    LoopDatabase database() {
        return database;
    }
}
