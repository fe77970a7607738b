/** What passes between the two sides of a copy: frames, and the sockets that carry them, encrypted and authenticated. */
@NullMarked
package dev.larder.queue.connection;

import org.jspecify.annotations.NullMarked;
