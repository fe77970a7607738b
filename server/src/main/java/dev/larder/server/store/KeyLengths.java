package dev.larder.server.store;

import dev.larder.resp.Command;
import dev.larder.resp.CommandCategory;
import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import java.util.function.IntConsumer;

/**
 * Rejects keys that are too long, before the command has changed any other key. An instance belongs to one session, or to
 * another caller that runs commands one at a time.
 */
public final class KeyLengths {

    private Request request = new Request();

    /** Created once, because it is called for each command. */
    private final IntConsumer check = this::check;

    /**
     * Checks the keys of a request.
     *
     * @throws ReplyException if one of them is too long
     */
    public void require(Command command, Request next) {
        if (next.spanBytes() <= Store.KEY_MAX_BYTES || command.categories().contains(CommandCategory.PUBSUB)) {
            return; // no key can be too long, or the arguments in place of keys are channels
        }
        request = next;
        command.keys().forEach(next, check);
    }

    private void check(int argument) {
        int bytes = request.length(argument);
        if (bytes > Store.KEY_MAX_BYTES) {
            throw new ReplyException("ERR a key of " + bytes + " bytes is too long: a key has at most "
                    + Store.KEY_MAX_BYTES + " bytes");
        }
    }
}
