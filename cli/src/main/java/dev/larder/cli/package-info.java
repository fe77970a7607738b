/**
 * The command {@code larder}, and what its commands share. Start at {@link dev.larder.cli.Larder}; each command is a class
 * in the room of what it works on.
 */
package dev.larder.cli;
