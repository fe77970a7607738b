package dev.larder.serve;

import dev.larder.cli.ExitCode;
import dev.larder.cli.Larder;
import dev.larder.memory.LarderException;
import dev.larder.server.Configuration;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists the parameters of a server, or checks a file of them. */
@Command(
        name = "config",
        description = "Lists the parameters of larder serve, or checks a file of them.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        footer = {ExitCode.EXAMPLES, "  larder config check larder.conf", "  larder config list", ExitCode.HELP})
final class ConfigurationCommand {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Command(
            name = "check",
            description = "Reads a file as larder serve does, and reports errors and parameters without effect.",
            mixinStandardHelpOptions = true)
    int check(@Parameters(paramLabel = "FILE", description = "The file, in the syntax of redis.conf.") Path file) {
        PrintStream out = Larder.streams(command).out();
        try {
            Configuration configuration = Configuration.read(file);
            configuration.options();
            List<String> notes = configuration.notes();
            notes.forEach(out::println);
            out.println(file + ": no errors, " + notes.size() + " values without effect");
            return ExitCode.OK;
        } catch (IllegalArgumentException | LarderException e) {
            out.println(e.getMessage());
            return ExitCode.INVALID;
        } finally {
            out.flush();
        }
    }

    @Command(
            name = "list",
            description = "Lists the parameters: name, when each may change, default.",
            mixinStandardHelpOptions = true)
    int list() {
        PrintStream out = Larder.streams(command).out();
        for (Configuration.Description parameter : Configuration.parameters()) {
            String changes = parameter.changes() ? "any time" : "at start";
            String effect = parameter.hasEffect() ? changes : "no effect";
            out.println(String.format(Locale.ROOT, "%-34s %-10s %s", parameter.name(), effect, parameter.standard()));
        }
        out.flush();
        return ExitCode.OK;
    }
}
