/** A stream: a queue of entries, and records beside it. It knows no key, session, socket or thread. */
package dev.larder.server.stream;
