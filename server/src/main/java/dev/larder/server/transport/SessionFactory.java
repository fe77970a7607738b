package dev.larder.server.transport;

import dev.larder.server.client.Link;
import dev.larder.server.session.Session;

/** Makes the session of a new connection. */
@FunctionalInterface
interface SessionFactory {

    /** Returns the session. */
    Session session(Link link, LoopMemory memory);
}
