/** The command {@code larder array}: makes the nodes of an array, runs them, and asks how they are. */
@NullMarked
package dev.larder.arraycli;

import org.jspecify.annotations.NullMarked;
