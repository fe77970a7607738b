package dev.larder.cli;

import picocli.CommandLine;

/**
 * A module that adds a command, with its subcommands, to {@code larder}. The command finds its providers by
 * {@link java.util.ServiceLoader}, so that it runs without them.
 */
public interface CommandProvider {

    /**
     * Returns the command, under the name that it has in {@code larder}. The provider registers the converters of its own
     * types; those of sizes, numbers and times are added by {@code larder}.
     */
    CommandLine command();
}
