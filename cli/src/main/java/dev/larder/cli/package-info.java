/**
 * The command {@code larder}, and the code that its commands share. Start at {@link dev.larder.cli.Larder}. Each command is a
 * class in the package of the thing on which it works.
 */
package dev.larder.cli;
