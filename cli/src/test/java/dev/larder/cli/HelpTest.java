package dev.larder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.shell.ShellWords;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The help pages: each command has examples, and each example is a command line that can be understood. */
class HelpTest extends Shell {

    private static final String NAME = "larder ";

    private static CommandLine larder() {
        return Larder.commandLine(Streams.ofProcess());
    }

    /** Returns the commands below a command that have no commands below themselves. */
    private static Stream<CommandLine> leaves(CommandLine command) {
        return command.getSubcommands().isEmpty()
                ? Stream.of(command)
                : command.getSubcommands().values().stream().flatMap(HelpTest::leaves);
    }

    private static List<CommandLine> ownLeaves() {
        return leaves(larder())
                .filter(command -> !(command.getCommand() instanceof CommandLine.HelpCommand))
                .filter(command -> !(command.getCommand() instanceof MissingCommand))
                .toList();
    }

    private static List<String> examples(CommandLine command) {
        return Arrays.stream(command.getCommandSpec().usageMessage().footer())
                .filter(line -> line.startsWith("  ") && line.contains(NAME))
                .toList();
    }

    @Test
    void everyCommandHasExamples() {
        assertThat(ownLeaves())
                .hasSizeGreaterThan(25)
                .allSatisfy(command -> assertThat(examples(command))
                        .as(command.getCommandSpec().qualifiedName())
                        .isNotEmpty()
                        .allMatch(line -> line.length() <= 80)
                        .allMatch(line -> line.contains(command.getCommandSpec().qualifiedName())));
    }

    @Test
    void everyExampleIsACommandLine() {
        CommandLine larder = larder();
        for (CommandLine command : ownLeaves()) {
            for (String example : examples(command)) {
                assertThat(parsed(larder, words(example)))
                        .as(example)
                        .isEqualTo(command.getCommandSpec().qualifiedName());
            }
        }
    }

    /** Returns the words after larder, without the redirections and pipes of the system's shell. */
    private static List<String> words(String example) {
        List<String> words = ShellWords.of(example.substring(example.indexOf(NAME) + NAME.length()));
        int end = (int) words.stream()
                .takeWhile(word -> !List.of("<", ">", "|").contains(word))
                .count();
        return new ArrayList<>(words.subList(0, end));
    }

    private static String parsed(CommandLine larder, List<String> words) {
        CommandLine.ParseResult result = larder.parseArgs(words.toArray(String[]::new));
        while (result.hasSubcommand()) {
            result = result.subcommand();
        }
        return result.commandSpec().qualifiedName();
    }

    @Test
    void printsThemBeforeTheExitCodes() {
        assertThat(larder(new byte[0], "queue", "tail", "--help")).isZero();
        assertThat(out()).containsSubsequence("Examples:", "  larder queue tail orders -n 3", "Exit codes: ");
    }
}
