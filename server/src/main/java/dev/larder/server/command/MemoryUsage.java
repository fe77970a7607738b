package dev.larder.server.command;

import dev.larder.resp.ReplyException;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.KeyType;
import dev.larder.server.store.Store;
import java.util.Map;

/** Computes how many bytes a key takes. */
final class MemoryUsage {

    /** The head of a record in the log, and the entry's words in the index. */
    private static final int ENTRY_BYTES = 40;

    private MemoryUsage() {}

    static Map<String, Handler> all() {
        return Map.of("memory|usage", MemoryUsage::usage);
    }

    private static void usage(Execution execution) {
        requireOptions(execution);
        Bytes key = execution.argument(2);
        Store store = execution.store();
        KeyType type = store.type(key);
        if (type == KeyType.NONE) {
            execution.reply().nil();
        } else {
            long value = type == KeyType.STRING ? Math.max(0, store.length(key)) : 0;
            execution.reply().integer(ENTRY_BYTES + key.length() + value);
        }
    }

    private static void requireOptions(Execution execution) {
        for (int i = 3; i < execution.count(); i += 2) {
            if (!execution.is(i, "samples") || i + 1 == execution.count()) {
                throw ReplyException.syntax();
            }
            if (execution.integer(i + 1) < 0) {
                throw ReplyException.syntax();
            }
        }
    }
}
