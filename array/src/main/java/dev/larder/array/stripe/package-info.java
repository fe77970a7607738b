/** A stripe without Raft: the state that its entries change. */
@NullMarked
package dev.larder.array.stripe;

import org.jspecify.annotations.NullMarked;
