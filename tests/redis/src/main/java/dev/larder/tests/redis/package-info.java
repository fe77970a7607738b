/**
 * Runs the tests of Redis against a program in the place of {@code redis-server}, and lists the commands that each test
 * sends. The suite is a Tcl program in two parts that talk by a socket: a part that runs a unit, and a part that hands out
 * units and shows results. These classes take the place of the second.
 */
@NullMarked
package dev.larder.tests.redis;

import org.jspecify.annotations.NullMarked;
