package dev.larder.server.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.server.Configuration;
import dev.larder.server.LarderServer;
import dev.larder.server.TestClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users whose rules have quotes and other characters that have a meaning in a configuration file. */
final class RewrittenUsersTest {

    @TempDir
    private Path directory;

    private Configuration configuration() {
        return Configuration.read(directory.resolve("larder.conf"))
                .with("dir", directory.resolve("data").toString())
                .with("port", "0")
                .with("segment-size", "4mb");
    }

    private static String users(LarderServer server) {
        try (TestClient client = new TestClient(server.port())) {
            return client.line("ACL LIST");
        }
    }

    private static void setUsers(TestClient client) {
        assertThat(client.line("ACL SETUSER bob on >secret ~it's* &\"say\" +@all"))
                .isEqualTo("OK");
        assertThat(client.line("ACL SETUSER o'hara on nopass ~a\\* ~x\"\" (~s'* +get) ~\u00C3\u00BC ~#1"))
                .isEqualTo("OK");
    }

    /** Regression: the next start failed for unbalanced quotes, or the user had other rules. */
    @Test
    void theyAreTheSameAfterARewriteAndAStart() throws IOException {
        Files.write(directory.resolve("larder.conf"), List.of("user alice on nopass +ping"));
        String before;
        try (LarderServer server = LarderServer.start(configuration());
                TestClient client = new TestClient(server.port())) {
            setUsers(client);
            before = users(server);
            assertThat(client.line("CONFIG REWRITE")).isEqualTo("OK");
        }
        assertThat(Files.readString(directory.resolve("larder.conf")))
                .contains("user bob on #2bb80d5") // a digest needs no quotes
                .contains(" \"~it's*\" ");
        try (LarderServer server = LarderServer.start(configuration())) {
            assertThat(users(server)).isEqualTo(before);
        }
    }

    /** A file of users is split at blanks alone, as in Redis. */
    @Test
    void theyAreTheSameInAFileOfUsers() throws IOException {
        Path users = Files.write(directory.resolve("users.acl"), List.of("user alice on nopass +ping"));
        Files.write(directory.resolve("larder.conf"), List.of("aclfile " + users));
        try (LarderServer server = LarderServer.start(configuration());
                TestClient client = new TestClient(server.port())) {
            setUsers(client);
            String before = users(server);
            assertThat(client.line("ACL SAVE")).isEqualTo("OK");
            assertThat(client.line("ACL LOAD")).isEqualTo("OK");
            assertThat(users(server)).isEqualTo(before);
        }
    }
}
