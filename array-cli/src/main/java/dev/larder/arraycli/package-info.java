/** The command {@code larder array}: creates the nodes of an array, runs them, and shows their status. */
@NullMarked
package dev.larder.arraycli;

import org.jspecify.annotations.NullMarked;
