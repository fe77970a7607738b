/** The connection between the two sides of a copy: frames, and the encrypted and authenticated sockets that carry them. */
@NullMarked
package dev.larder.queue.connection;

import org.jspecify.annotations.NullMarked;
