package dev.larder.server.command;

import dev.larder.resp.Request;
import dev.larder.server.store.Bytes;
import java.util.ArrayList;
import java.util.List;

/**
 * What a command that found nothing waits for: a change of one of some keys. Then the request of that key is run. If it waits
 * again, the client keeps its place.
 *
 * <p>The requests differ in their last two arguments. They are made when they are needed: a client may wait for many keys, and
 * its group and consumer may have long names.
 *
 * @param beginning the arguments with which all requests begin
 * @param keys the keys, each once
 * @param timeoutMillis how long it waits at most; 0: for ever
 */
public record Wait(List<byte[]> beginning, List<OnKey> keys, long timeoutMillis) {

    /**
     * A key, and what follows it in its request. Both are copies.
     *
     * @param id the id behind which the client waits for entries
     */
    public record OnKey(Bytes key, String id) {}

    /** Copies the lists to unchangeable ones. */
    public Wait {
        beginning = List.copyOf(beginning);
        keys = List.copyOf(keys);
    }

    /** Returns the request that is run when a key changes. */
    public Request request(OnKey changed) {
        List<byte[]> arguments = new ArrayList<>(beginning);
        arguments.add(changed.key().toArray());
        arguments.add(Bytes.of(changed.id()).toArray());
        return Request.of(arguments);
    }
}
