/** The bytes of a stripe's entries: the requests of clients, and the replies. Names neither Raft nor a store. */
@NullMarked
package dev.larder.array.entry;

import org.jspecify.annotations.NullMarked;
