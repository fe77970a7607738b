package dev.larder.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.map.MapScanCommand;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jline.terminal.impl.DumbTerminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Lines that are typed at a terminal, here one that knows no keys. */
class TerminalShellInputTest {

    @TempDir
    Path directory;

    private List<String> typed(String keys) throws IOException {
        CommandLine commands = new CommandLine(CommandLine.Model.CommandSpec.create());
        commands.addSubcommand(new MapScanCommand());
        DumbTerminal terminal = new DumbTerminal(
                "test",
                "dumb",
                new ByteArrayInputStream(keys.getBytes(StandardCharsets.UTF_8)),
                new ByteArrayOutputStream(),
                StandardCharsets.UTF_8);
        List<String> lines = new ArrayList<>();
        Path history = directory.resolve("history");
        try (ShellInput input =
                new TerminalShellInput("> ", commands, Optional.of(history), () -> lines.add("before"), terminal)) {
            for (Optional<String> line = input.next(); line.isPresent(); line = input.next()) {
                lines.add(line.get());
            }
        }
        return lines;
    }

    @Test
    void givesLinesAsTheyAreTyped() throws IOException {
        assertThat(typed("put a! 'b\nget \\d\n")).containsExactly("before", "put a! 'b", "before", "get \\d", "before");
    }

    @Test
    void keepsAHistory() throws IOException {
        typed("put a 1\n");
        Path history = directory.resolve("history");
        assertThat(history).content().contains("put a 1");
        if (history.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(history)))
                    .isEqualTo("rw-------"); // lines hold keys and values
        }
    }
}
