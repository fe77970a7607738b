package dev.larder.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.server.ServerFixture;
import dev.larder.server.TestClient;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The lines of {@code MONITOR}: the loop that ran a command makes them, so they have a greatest length. */
final class MonitorLinesTest {

    @TempDir
    private Path directory;

    private ServerFixture fixture;
    private TestClient client;
    private TestClient monitor;

    @BeforeEach
    void start() {
        fixture = new ServerFixture(directory);
        client = fixture.client();
        monitor = fixture.client();
        assertThat(monitor.line("MONITOR")).isEqualTo("OK");
    }

    @AfterEach
    void stop() {
        fixture.close();
    }

    @Test
    void bytesAreShownAsRedisShowsThem() {
        client.call("ECHO", "a\"\\\n\r\t\u0007\b\u0000\u007F\u00FFz");
        assertThat(monitor.reply()).endsWith(" \"ECHO\" \"a\\\"\\\\\\n\\r\\t\\a\\b\\x00\\x7f\\xffz\"");
    }

    /** Redis shows them, too. A command that has failed shows what a client has tried. */
    @Test
    void passwordsAreNotShown() {
        assertThat(client.line("AUTH secret")).startsWith("ERR AUTH");
        assertThat(monitor.reply()).endsWith("] \"AUTH\" \"(redacted)\"");
        assertThat(client.line("AUTH nobody secret")).startsWith("WRONGPASS");
        assertThat(monitor.reply()).endsWith("] \"AUTH\" \"(redacted)\" \"(redacted)\"");
        client.line("HELLO 3 AUTH default secret SETNAME x");
        assertThat(monitor.reply())
                .endsWith("] \"HELLO\" \"3\" \"AUTH\" \"(redacted)\" \"(redacted)\" \"SETNAME\" \"x\"");
        client.line("HELLO AUTH default secret");
        assertThat(monitor.reply()).endsWith("] \"HELLO\" \"AUTH\" \"(redacted)\" \"(redacted)\"");
        client.line("HELLO 2");
        assertThat(monitor.reply()).endsWith("] \"HELLO\" \"2\"");
    }

    @Test
    void aLongArgumentIsCut() {
        client.call("ECHO", "\u00FF".repeat(1_000_000));
        assertThat(monitor.reply())
                .endsWith(" \"ECHO\" \"" + "\\xff".repeat(Monitors.ARGUMENT_MAX_BYTES) + "\"... (934464 more bytes)");
        client.call("ECHO", "x".repeat(Monitors.ARGUMENT_MAX_BYTES));
        assertThat(monitor.reply()).endsWith("x\"");
    }

    @Test
    void aLongLineIsCut() {
        String[] call = new String[1000];
        Arrays.fill(call, "x".repeat(10_000));
        call[0] = "DEL";
        client.call(call);
        assertThat(monitor.reply())
                .hasSizeBetween(Monitors.LINE_MAX, Monitors.LINE_MAX + 11_000)
                .endsWith("x\" ... (894 more arguments)");
        client.line("PING");
        assertThat(monitor.reply()).endsWith("\"PING\"");
    }
}
