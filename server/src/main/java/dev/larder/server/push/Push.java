package dev.larder.server.push;

import dev.larder.resp.ReplyEncoder;

/** A message that a client is sent without a request. Immutable: one object goes to all its receivers. */
public interface Push {

    /** Returns about how many bytes the push takes on the wire. */
    int sizeBytes();

    /** Writes the push, in the version of the protocol that the receiver speaks. */
    void writeTo(ReplyEncoder reply);
}
