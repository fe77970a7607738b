/**
 * Runs the tests of Redis against a program in the place of {@code redis-server}, and lists the commands that each test sends.
 * The suite is a Tcl program in two parts that talk over a socket: one runs a unit, the other hands out units and shows
 * results. These classes replace the second part.
 */
@NullMarked
package dev.larder.tests.redis;

import org.jspecify.annotations.NullMarked;
