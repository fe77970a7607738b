package dev.larder.server.push;

import dev.larder.resp.ReplyEncoder;

/**
 * Tells a client that the client which received its messages about keys is gone.
 *
 * @param client the number of the client that is gone
 */
public record BrokenRedirect(long client) implements Push {

    private static final int BYTES = 64;

    @Override
    public int sizeBytes() {
        return BYTES;
    }

    @Override
    public void writeTo(ReplyEncoder reply) {
        reply.push(2);
        reply.text("tracking-redir-broken");
        reply.integer(client);
    }
}
