/** The bytes of a stripe's entries: what clients have asked for, and what they are answered. Names neither Raft nor a store. */
@NullMarked
package dev.larder.array.entry;

import org.jspecify.annotations.NullMarked;
