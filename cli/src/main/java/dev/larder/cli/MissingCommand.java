package dev.larder.cli;

import dev.larder.memory.LarderException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Unmatched;

/** A placeholder for a command whose module is not installed. It prints how to get the module. */
@Command
final class MissingCommand implements Callable<Integer> {

    private static final String SERVER = "larder-server-VERSION.zip";

    /** All commands that may be missing. */
    private static final List<MissingCommand> ALL = List.of(
            new MissingCommand(
                    "array",
                    "Runs several servers as one.",
                    "array",
                    "larder-server-VERSION.zip and larder-array-VERSION.zip"),
            new MissingCommand("backup", "Tells a running server to write a backup.", "server", SERVER),
            new MissingCommand("config", "Lists or checks the parameters of a server.", "server", SERVER),
            new MissingCommand("lab", "Runs experiments that measure Larder.", "lab", "larder-lab-VERSION.zip"),
            new MissingCommand("restore", "Makes a data folder from a backup.", "server", SERVER),
            new MissingCommand("serve", "Serves Redis clients from maps and queues.", "server", SERVER));

    private final String name;
    private final String description;
    private final String part;
    private final String files;

    @SuppressWarnings("UnusedVariable") // accepted, so that the parser does not refuse them
    @Unmatched
    private List<String> arguments = new ArrayList<>();

    private MissingCommand(String name, String description, String part, String files) {
        this.name = name;
        this.description = description;
        this.part = part;
        this.files = files;
    }

    /** Returns the commands that may be missing, by name. */
    static Map<String, CommandLine> all() {
        return ALL.stream().collect(Collectors.toMap(missing -> missing.name, MissingCommand::commandLine));
    }

    private CommandLine commandLine() {
        CommandLine line = new CommandLine(new MissingCommand(name, description, part, files));
        line.getCommandSpec()
                .name(name)
                .usageMessage()
                .description(description + " Not installed here; larder " + name + " says how.");
        return line;
    }

    @Override
    public Integer call() {
        throw new LarderException("the " + part + " is not installed: unpack " + files
                + " beside larder-VERSION.zip, of the same version, or run ./larder " + name + " from a clone");
    }
}
