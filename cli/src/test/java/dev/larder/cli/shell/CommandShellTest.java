package dev.larder.cli.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.cli.Answer;
import dev.larder.cli.ExitCode;
import dev.larder.cli.Session;
import dev.larder.cli.Streams;
import dev.larder.log.LogFailedException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class CommandShellTest {

    private static final int OFTEN = 1_000;

    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private CommandShell shell() {
        Streams streams = new Streams(
                InputStream.nullInputStream(),
                new Answer(new ByteArrayOutputStream()),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                false);
        return new CommandShell("larder map shell", new Session(streams), false, true);
    }

    /** Earlier changes cannot be made durable any more, so the shell reads no further line. */
    @Test
    void endsWhereTheLogHasFailed() {
        AtomicInteger waits = new AtomicInteger();
        PlainShellInput input = new PlainShellInput(InputStream.nullInputStream(), () -> {
            if (waits.incrementAndGet() > OFTEN) {
                throw new AssertionError("it goes on for ever");
            }
            throw new LogFailedException("the log has failed");
        });
        assertThatThrownBy(() -> shell().run(input))
                .isInstanceOf(LogFailedException.class)
                .hasMessage("the log has failed");
        assertThat(waits).hasValue(1);
        assertThat(err.size()).isZero();
    }

    @Test
    void goesOnAfterALineThatIsNoText() {
        byte[] lines = {(byte) 0xff, '\n', 'e', 'x', 'i', 't', '\n'};
        assertThat(shell().run(new PlainShellInput(new ByteArrayInputStream(lines), () -> {})))
                .isEqualTo(ExitCode.ERROR);
        assertThat(err.toString(StandardCharsets.UTF_8)).isEqualTo("larder: line 1: its bytes are not UTF-8\n");
    }
}
