package dev.larder.server.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.server.Configuration;
import dev.larder.server.LarderServer;
import dev.larder.server.TestClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users, passwords and rights, over a socket. */
final class AccessTest {

    @TempDir
    private Path directory;

    private final List<AutoCloseable> open = new ArrayList<>();
    private Configuration configuration = Configuration.defaults();
    private @Nullable LarderServer server;

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open.reversed()) {
            one.close();
        }
    }

    private void start(String... lines) throws IOException {
        Path file = directory.resolve("larder.conf");
        Files.write(file, List.of(lines));
        configuration = Configuration.read(file)
                .with("dir", directory.resolve("data").toString())
                .with("port", "0")
                .with("io-threads", "1")
                .with("segment-size", "4mb");
        open.add(serve(configuration));
    }

    private LarderServer serve(Configuration with) {
        LarderServer started = LarderServer.start(with);
        server = started;
        return started;
    }

    private LarderServer server() {
        return Objects.requireNonNull(server, "not started");
    }

    private TestClient client() {
        TestClient client = new TestClient(server().port());
        open.add(client);
        return client;
    }

    @Test
    void aPasswordIsNeededBeforeAnythingElse() throws IOException {
        start("requirepass secret");
        TestClient client = client();
        assertThat(client.line("GET a")).isEqualTo("NOAUTH Authentication required.");
        assertThat(client.line("HELLO 3")).startsWith("NOAUTH HELLO must be called");
        assertThat(client.line("AUTH wrong"))
                .isEqualTo("WRONGPASS invalid username-password pair or user is disabled.");
        assertThat(client.line("AUTH secret")).isEqualTo("OK");
        assertThat(client.line("GET a")).isEqualTo("nil");
        assertThat(client.line("RESET")).isEqualTo("RESET");
        assertThat(client.line("GET a")).isEqualTo("NOAUTH Authentication required.");
        assertThat(client.line("HELLO 3 AUTH default secret")).contains("proto=3");
    }

    @Test
    void whoIsNotAuthenticatedMaySendNoLargeRequest() throws IOException {
        start("requirepass secret");
        TestClient client = client();
        client.sendBytes("*1000\r\n$4\r\nPING\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(client.reply()).isEqualTo("ERR Protocol error: unauthenticated multibulk length");
        assertThat(client.reply()).isEqualTo("closed");
    }

    @Test
    void aCommandIsCheckedBeforeItIsQueuedAndAgainWhenItRuns() throws IOException {
        start("user alice on nopass ~a* +@all -del");
        TestClient client = client();
        TestClient operator = client();
        client.line("AUTH alice x");
        client.line("MULTI");
        assertThat(client.line("SET b 1"))
                .isEqualTo("NOPERM this user has no permissions to access one of the keys used as arguments");
        assertThat(client.line("EXEC")).isEqualTo("EXECABORT Transaction discarded because of previous errors.");
        client.line("MULTI");
        assertThat(client.line("SET a 1")).isEqualTo("QUEUED");
        operator.line("ACL SETUSER alice -set");
        assertThat(client.line("EXEC"))
                .isEqualTo("[NOPERM ACLs rules changed between the moment the transaction was accumulated and the EXEC"
                        + " call. This command is no longer allowed for the following reason: no permission to execute"
                        + " the command or subcommand]");
        assertThat(operator.line("GET a")).isEqualTo("nil");
    }

    @Test
    void theConnectionsOfADeletedUserAreClosed() throws IOException {
        start("user alice on nopass ~* +@all");
        TestClient client = client();
        TestClient operator = client();
        client.line("AUTH alice x");
        assertThat(operator.line("ACL DELUSER alice")).isEqualTo("1");
        assertThat(client.reply()).isEqualTo("closed");
        assertThat(operator.line("ACL WHOAMI")).isEqualTo("default");
    }

    @Test
    void refusalsAreLogged() throws IOException {
        start("user alice on >p ~a +get");
        TestClient client = client();
        client.line("AUTH alice wrong");
        client.line("AUTH alice p");
        client.line("GET b");
        client.line("GET b");
        TestClient operator = client();
        assertThat(operator.line("ACL LOG"))
                .contains("[count, 2, reason, key, context, toplevel, object, b, username, alice, age-seconds,")
                .contains("[count, 1, reason, auth, context, toplevel, object, AUTH, username, alice, age-seconds,");
        assertThat(operator.line("ACL LOG RESET")).isEqualTo("OK");
        assertThat(operator.line("ACL LOG")).isEqualTo("[]");
    }

    @Test
    void usersAreKeptInTheirFile() throws IOException {
        Path users = directory.resolve("users.acl");
        Files.write(users, List.of("# users", "user alice on >p ~a* (~b +get) +set"));
        start("aclfile " + users);
        TestClient client = client();
        client.line("ACL SETUSER bob on nopass +ping");
        assertThat(client.line("ACL SAVE")).isEqualTo("OK");
        assertThat(Files.readString(users)).contains("user alice on #148de9c5").contains("user bob on nopass");
        Files.write(users, List.of("user bob on nopass +ping +echo", "user bob off", "usr x"));
        assertThat(client.line("ACL LOAD"))
                .contains("Duplicate user 'bob' found on line 2")
                .contains("users.acl:3: line should start with user keyword")
                .endsWith("no change to the previously active ACL rules was performed");
        assertThat(client.line("ACL USERS")).isEqualTo("[alice, bob, default]");
        Files.write(users, List.of("user bob on nopass +ping +echo"));
        TestClient bob = client();
        assertThat(bob.line("AUTH bob x")).isEqualTo("OK");
        assertThat(client.line("ACL LOAD")).isEqualTo("OK");
        assertThat(bob.reply()).isEqualTo("closed"); // bob may have another password now
        assertThat(client.line("ACL LIST"))
                .isEqualTo("[user bob on nopass resetchannels -@all +echo +ping, user default on nopass ~* &* +@all]");
    }

    @Test
    void usersOfAConfigurationFileAreWrittenBack() throws IOException {
        start("# mine", "user alice on >p ~a* +@read");
        TestClient client = client();
        client.line("ACL SETUSER carol on nopass");
        client.line("CONFIG SET requirepass hidden maxclients 77");
        assertThat(client.line("CONFIG REWRITE")).isEqualTo("OK");
        Configuration again =
                Configuration.read(directory.resolve("larder.conf")).with("port", "0");
        assertThat(again.value("maxclients")).isEqualTo("77");
        client.close();
        server().close();
        open.add(serve(again));
        TestClient other = client();
        assertThat(other.line("AUTH hidden")).isEqualTo("OK");
        assertThat(other.line("ACL USERS")).isEqualTo("[alice, carol, default]");
    }

    /** A file of users was written for Redis. Its rules stay as they are, and commands that are not offered stay unknown. */
    @Test
    void rulesNameWhatIsNotOffered() throws IOException {
        start();
        TestClient client = client();
        assertThat(client.line("ACL SETUSER cook on nopass ~* -@all +hset +@sortedset +script|load"))
                .isEqualTo("OK");
        assertThat(client.line("ACL LIST"))
                .contains("+@sortedset")
                .contains("+hset")
                .contains("+script|load");
        assertThat(client.line("ACL CAT hash")).contains("hgetall");
        assertThat(client.line("ACL DRYRUN cook HSET a b c")).isEqualTo("OK");
        assertThat(client.line("ACL DRYRUN cook HGET a b"))
                .isEqualTo("This user has no permissions to run the 'hget' command");
        assertThat(client.line("AUTH cook any")).isEqualTo("OK");
        assertThat(client.line("HSET a b c")).startsWith("ERR unknown command 'HSET'");
        assertThat(client.line("GET a")).isEqualTo("NOPERM this user has no permissions to run the 'get' command");
    }

    @Test
    void rulesThatMakeNoSenseStopTheStart() {
        assertThatThrownBy(() -> start("user alice on +nocommand"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Error in ACL SETUSER modifier '+nocommand'");
    }

    /** As Redis 7.0.15 reads them. */
    @Test
    void aPatternOfKeysNamesEachUseOnce() throws IOException {
        start();
        TestClient client = client();
        for (String rule : new String[] {"%RR~a", "%RWR~a", "%~a", "%", "%RX~a"}) {
            assertThat(client.line("ACL SETUSER joe " + rule))
                    .isEqualTo("ERR Error in ACL SETUSER modifier '" + rule + "': Syntax error");
        }
        assertThat(client.line("ACL SETUSER joe %rw~a %r~b %W~c %WR~d %R")).isEqualTo("OK");
        assertThat(client.line("ACL GETUSER joe")).contains("keys, ~a %R~b %W~c ~d %R~,");
    }

    /** Otherwise other bytes would be kept in their place, and would be accepted as well. */
    @Test
    void namesAndPasswordsThatAreNoTextAreRefused() throws IOException {
        start();
        TestClient client = client();
        assertThat(client.call("ACL", "SETUSER", "joe", "on", ">\u00ff\u00fe"))
                .isEqualTo("ERR argument 4 of 'ACL' must be UTF-8");
        assertThat(client.call("ACL", "SETUSER", "\u00ff", "on")).isEqualTo("ERR argument 2 of 'ACL' must be UTF-8");
        assertThat(client.line("ACL USERS")).isEqualTo("[default]");
        assertThat(client.call("CONFIG", "SET", "requirepass", "\u00ff"))
                .isEqualTo("ERR argument 3 of 'CONFIG' must be UTF-8");
        assertThat(client.call("AUTH", "\u00ff", "x")).isEqualTo("ERR argument 1 of 'AUTH' must be UTF-8");
        assertThat(client.call("ACL", "SETUSER", "j\u00c3\u00b6e", "on", "nopass"))
                .isEqualTo("OK");
        assertThat(client.call("AUTH", "j\u00c3\u00b6e", "x")).isEqualTo("OK");
    }
}
