/** The larder command: one class a subcommand. Start at {@link dev.larder.cli.Larder}. */
package dev.larder.cli;
