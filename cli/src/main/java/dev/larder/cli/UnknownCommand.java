package dev.larder.cli;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jline.utils.Levenshtein;
import picocli.CommandLine;

/**
 * A word in the place of a command that is not a command.
 *
 * @param word the word as typed
 * @param parent the name of the command before it
 * @param commands the names that are valid there
 */
record UnknownCommand(String word, String parent, List<String> commands) {

    /** Returns the unknown command of a command line that cannot be understood, if that is the reason. */
    static Optional<UnknownCommand> of(CommandLine.ParameterException error) {
        CommandLine parent = error.getCommandLine();
        if (!(error instanceof CommandLine.UnmatchedArgumentException unmatched)
                || parent.getSubcommands().isEmpty()
                || unmatched.getUnmatched().getFirst().startsWith("-")) {
            return Optional.empty();
        }
        return Optional.of(new UnknownCommand(
                unmatched.getUnmatched().getFirst(),
                parent.getCommandSpec().qualifiedName(),
                List.copyOf(parent.getSubcommands().keySet())));
    }

    String message() {
        List<String> similar = similar();
        return parent + " has no command '" + word + "'"
                + (similar.isEmpty() ? "" : "; did you mean " + String.join(" or ", similar) + "?");
    }

    /** Returns the nearest names, if at most a third of the word is wrong. */
    private List<String> similar() {
        int most = (word.length() + 2) / 3;
        int least = commands.stream().mapToInt(this::distance).min().orElse(Integer.MAX_VALUE);
        return commands.stream()
                .filter(command -> least <= most && distance(command) == least)
                .sorted(Comparator.naturalOrder())
                .toList();
    }

    /** Returns the number of mistakes. Two swapped letters count as one. */
    private int distance(String command) {
        return Levenshtein.distance(word.toLowerCase(Locale.ROOT), command);
    }
}
