package dev.larder.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.server.ServerFixture;
import dev.larder.server.TestClient;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client that keeps copies never keeps one that is out of date, although another loop changes the key as it is read. */
final class TrackingRaceTest {

    private static final int ROUNDS = 500;

    @TempDir
    private Path directory;

    /** The client's copy of the key, if no message told it to drop the copy. */
    private @Nullable String copy;

    @Test
    void noCopyIsOutOfDate() {
        try (ServerFixture fixture = new ServerFixture(directory, options -> options.withLoops(2))) {
            TestClient reader = fixture.client();
            TestClient writer = fixture.client();
            reader.line("HELLO 3");
            reader.line("CLIENT TRACKING on");
            for (int round = 0; round < ROUNDS; round++) {
                writer.send("SET", "k", Integer.toString(round));
                reader.send("GET", "k");
                copy = await(reader);
                assertThat(writer.reply()).isEqualTo("OK");
                for (int i = 0; i < 2; i++) { // messages from before the first PING come after its reply at the latest
                    reader.send("PING");
                    assertThat(await(reader)).isEqualTo("PONG");
                }
                assertThat(copy).as("a copy in round " + round).isIn(null, Integer.toString(round));
            }
        }
    }

    /** Returns the next reply. The copy is dropped if a message before it says so. */
    private String await(TestClient reader) {
        String reply = reader.reply();
        while (reply.startsWith(">")) {
            copy = null;
            reply = reader.reply();
        }
        return reply;
    }
}
