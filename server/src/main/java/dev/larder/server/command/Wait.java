package dev.larder.server.command;

import dev.larder.resp.Request;
import dev.larder.server.store.Bytes;
import java.util.List;

/**
 * What a command that found nothing waits for: a change of one of some keys. Then the request of that key is run. If it waits
 * again, the client keeps its place.
 *
 * @param keys the keys, each with its request
 * @param timeoutMillis how long it waits at most; 0: for ever
 */
public record Wait(List<OnKey> keys, long timeoutMillis) {

    /** A key, and the request that is run when it changes. Both are copies. */
    public record OnKey(Bytes key, Request request) {}

    /** Copies the keys to an unchangeable list. */
    public Wait {
        keys = List.copyOf(keys);
    }
}
