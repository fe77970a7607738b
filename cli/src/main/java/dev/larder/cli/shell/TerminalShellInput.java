package dev.larder.cli.shell;

import dev.larder.cli.output.OwnerFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jline.reader.Candidate;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The lines typed at a terminal, with history and tab completion of the commands' words. */
final class TerminalShellInput implements ShellInput {

    private final Runnable beforeWait;
    private final CommandLine commands;
    private final Terminal terminal;
    private final org.jline.reader.LineReader reader;
    private final String prompt;

    /**
     * Creates an input of the lines of this process's terminal.
     *
     * @param commands the commands to complete
     * @param history the file that stores the lines; empty for none
     * @param beforeWait runs before each prompt
     */
    TerminalShellInput(String prompt, CommandLine commands, Optional<Path> history, Runnable beforeWait)
            throws IOException {
        this(
                prompt,
                commands,
                history,
                beforeWait,
                TerminalBuilder.builder().system(true).dumb(true).build());
    }

    TerminalShellInput(
            String prompt, CommandLine commands, Optional<Path> history, Runnable beforeWait, Terminal terminal)
            throws IOException {
        this.prompt = prompt;
        this.commands = commands;
        this.beforeWait = beforeWait;
        this.terminal = terminal;
        DefaultParser parser = new DefaultParser();
        parser.setEofOnUnclosedQuote(false); // such a line is an error, not the first half of one
        LineReaderBuilder builder = LineReaderBuilder.builder()
                .terminal(terminal)
                .parser(parser)
                .completer((line, parsed, candidates) -> complete(parsed, candidates))
                .option(org.jline.reader.LineReader.Option.DISABLE_EVENT_EXPANSION, true); // a key may have a !
        if (history.isPresent()) {
            OwnerFile.createIfMissing(history.get()); // lines hold keys and values
            builder.variable(org.jline.reader.LineReader.HISTORY_FILE, history.get());
        }
        this.reader = builder.build();
    }

    /** Returns the file that stores the lines of a kind of shell; empty if the user has no folder for it. */
    static Optional<Path> historyFile(String kind) {
        String state = System.getenv("XDG_STATE_HOME");
        Path folder = state == null || state.isEmpty()
                ? Path.of(System.getProperty("user.home", "/nowhere"), ".local", "state")
                : Path.of(state);
        try {
            return Optional.of(Files.createDirectories(folder.resolve("larder")).resolve(kind + "-history"));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Completes a word. The first word is a command; a later one that begins with - is an option of it. */
    private void complete(ParsedLine line, List<Candidate> candidates) {
        if (line.wordIndex() == 0) {
            commands.getSubcommands().keySet().forEach(name -> candidates.add(new Candidate(name)));
            CommandShell.ENDS.forEach(name -> candidates.add(new Candidate(name)));
            return;
        }
        CommandLine command = commands.getSubcommands().get(line.words().getFirst());
        if (command != null && line.word().startsWith("-")) {
            for (OptionSpec option : command.getCommandSpec().options()) {
                candidates.add(new Candidate(option.longestName()));
            }
        }
    }

    @Override
    public Optional<String> next() {
        beforeWait.run();
        while (true) {
            try {
                return Optional.of(reader.readLine(prompt));
            } catch (UserInterruptException e) {
                // Ctrl-C cancels the line, not the shell
            } catch (EndOfFileException e) {
                return Optional.empty();
            }
        }
    }

    @Override
    public void close() throws IOException {
        terminal.close();
    }
}
