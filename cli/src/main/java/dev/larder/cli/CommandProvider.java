package dev.larder.cli;

import picocli.CommandLine;

/**
 * A module that adds a command, with its subcommands, to {@code larder}. The command finds its providers by
 * {@link java.util.ServiceLoader}, so that it runs without them.
 */
public interface CommandProvider {

    /**
     * Returns the command, under its name in {@code larder}. The provider registers the converters of its own types;
     * {@code larder} adds the converters of sizes, numbers and times.
     */
    CommandLine command();
}
