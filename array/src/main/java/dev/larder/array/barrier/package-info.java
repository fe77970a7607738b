/**
 * The read barrier: a leader's reads wait until a majority has confirmed the leader's term. Names neither Raft's library nor
 * sockets. The argument is in {@code docs/design/array.md}, the model in {@code models/barrier.pml}.
 */
@NullMarked
package dev.larder.array.barrier;

import org.jspecify.annotations.NullMarked;
