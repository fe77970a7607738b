package dev.larder.lab.command;

import dev.larder.cli.ExitCode;
import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.redis.LoadExperiment;
import dev.larder.lab.result.Attempt;
import dev.larder.lab.result.Directories;
import dev.larder.lab.search.SearchExperiment;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Plays a part of an experiment that is conducted from another host. */
@Command(
        name = "play",
        description = {
            "Runs the generator or a known target on this host, for an experiment on another host.",
            "The experiment starts this command by --generator 'ssh HOST larder lab play', and controls it by its "
                    + "standard input. It ends when the input ends."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {
            ExitCode.EXAMPLES,
            "  larder lab play generator",
            "  larder lab play target --directory /var/tmp/target",
            ExitCode.HELP
        })
final class LabPlayCommand implements Callable<Integer> {

    private static final long HEAP_BYTES = 512L << 20;

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Parameters(paramLabel = "PART", description = "What to run: generator, search-generator or target.")
    private String part = "";

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "Where to write responses, in a folder for each part (${DEFAULT-VALUE}).")
    private Path directory = Path.of("lab-play");

    /** Plays in a process of its own, with its files in the working directory. */
    @Override
    public Integer call() throws InterruptedException {
        Map<String, Class<?>> parts = new TreeMap<>(LoadExperiment.parts());
        parts.putAll(SearchExperiment.parts());
        Class<?> main = parts.get(part);
        if (main == null) {
            throw new ParameterException(command.commandLine(), "'" + part + "' is not one of " + parts.keySet());
        }
        Path own = Directories.create(
                directory.resolve(part + "-" + ProcessHandle.current().pid()));
        return Attempt.giving(
                "play the " + part,
                () -> new ProcessBuilder(JavaProcess.command(HEAP_BYTES, main))
                        .directory(own.toFile())
                        .inheritIO()
                        .start()
                        .waitFor());
    }
}
