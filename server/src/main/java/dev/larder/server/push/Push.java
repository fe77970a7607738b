package dev.larder.server.push;

import dev.larder.resp.ReplyEncoder;

/** Something that a client is sent without a request. Immutable: one object goes to all its receivers. */
public interface Push {

    /** Returns about how many bytes it takes on the wire. */
    int sizeBytes();

    /** Writes it, in the version of the protocol that the receiver speaks. */
    void writeTo(ReplyEncoder reply);
}
