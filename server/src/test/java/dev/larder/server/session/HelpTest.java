package dev.larder.server.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.server.Configuration;
import dev.larder.server.LarderServer;
import dev.larder.server.MemoryFolder;
import dev.larder.server.RealRedis;
import dev.larder.server.TestClient;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code HELP} of each command with subcommands. */
final class HelpTest {

    /** Lines in which Larder shows more than Redis does, or a bracket more. */
    private static final Set<String> OTHERS =
            Set.of("GET <pattern>", "SET <directive> <value>", "LIST", "STREAM <key> [FULL [COUNT <count>]");

    @TempDir(factory = MemoryFolder.class)
    private Path directory;

    private LarderServer server;
    private TestClient client;

    @BeforeEach
    void start() {
        server = LarderServer.start(Configuration.defaults()
                .with("dir", directory.toString())
                .with("port", "0")
                .with("segment-size", "4mb")
                .with("enable-debug-command", "yes"));
        client = new TestClient(server.port());
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
    }

    /** Returns the commands that have HELP. */
    private Set<String> commands() {
        return offered("*|help").stream().map(name -> name.split("[|]", -1)[0]).collect(Collectors.toSet());
    }

    private Set<String> offered(String pattern) {
        String list = client.line("COMMAND LIST FILTERBY PATTERN " + pattern);
        return Arrays.stream(list.substring(1, list.length() - 1).split(", ", -1))
                .map(name -> name.toUpperCase(Locale.ROOT))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the names of the subcommands that a help lists. */
    private static Set<String> names(List<String> lines) {
        return syntax(lines).stream().map(line -> line.split(" ", 2)[0]).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the lines that show how to call a subcommand. */
    private static List<String> syntax(List<String> lines) {
        return lines.stream()
                .skip(1)
                .filter(line -> !line.startsWith(" ") && !line.startsWith("("))
                .toList();
    }

    private static void assertForm(String command, List<String> lines) {
        assertThat(lines)
                .startsWith(command + " <subcommand> [<arg> [value] [opt] ...]. Subcommands are:")
                .endsWith("HELP", "    Prints this help.");
        for (int i = 1; i < lines.size(); i++) {
            if (!lines.get(i).startsWith(" ")) {
                assertThat(lines.get(i + 1)).as("behind " + lines.get(i)).startsWith("    ");
            }
        }
    }

    @Test
    void namesTheSubcommandsThatTheServerOffers() {
        assertThat(commands())
                .containsExactlyInAnyOrder(
                        "ACL", "CLIENT", "CLUSTER", "COMMAND", "CONFIG", "LATENCY", "MEMORY", "OBJECT", "PUBSUB",
                        "SLOWLOG", "XGROUP", "XINFO");
        for (String command : commands()) {
            if (!command.equals("CLUSTER")) {
                List<String> lines = client.statuses(command + " HELP");
                assertForm(command, lines);
                assertThat(names(lines).stream().map(name -> command + "|" + name))
                        .containsExactlyInAnyOrderElementsOf(offered(command + "|*"));
            }
        }
        assertThat(client.line("OBJECT HELP more"))
                .isEqualTo("ERR wrong number of arguments for 'object|help' command");
    }

    @Test
    void aServerThatRunsAloneHasNoHelpOfCluster() {
        assertThat(client.line("CLUSTER HELP")).isEqualTo("ERR This instance has cluster support disabled");
    }

    @Test
    void debugNamesItsSubcommandsToo() {
        List<String> lines = client.statuses("DEBUG HELP");
        assertForm("DEBUG", lines);
        assertThat(names(lines))
                .containsExactlyInAnyOrder(
                        "CHANGE-REPL-ID",
                        "DIGEST",
                        "DIGEST-VALUE",
                        "ERROR",
                        "HELP",
                        "LOADAOF",
                        "LOG",
                        "OBJECT",
                        "PAUSE-CRON",
                        "POPULATE",
                        "PROTOCOL",
                        "QUICKLIST-PACKED-THRESHOLD",
                        "RELOAD",
                        "SET-ACTIVE-EXPIRE",
                        "SET-SKIP-CHECKSUM-VALIDATION",
                        "SLEEP");
    }

    @Test
    void aTransactionMayAskForHelp() {
        client.line("MULTI");
        assertThat(client.line("XGROUP HELP")).isEqualTo("QUEUED");
        assertThat(client.line("EXEC"))
                .startsWith("[[XGROUP <subcommand> ")
                .endsWith(", HELP,     Prints this help.]]");
    }

    @Test
    void showsTheSyntaxThatRedisShows() {
        try (RealRedis redis = RealRedis.start(directory);
                TestClient reference = redis.client()) {
            for (String command : commands()) {
                if (!command.equals("CLUSTER")) {
                    List<String> lines = client.statuses(command + " HELP");
                    List<String> expected = reference.statuses(command + " HELP");
                    assertForm(command, expected);
                    assertThat(syntax(lines))
                            .as(command)
                            .containsAll(syntax(expected).stream()
                                    .filter(line -> !OTHERS.contains(line))
                                    .toList());
                    assertThat(names(lines)).containsAll(names(expected));
                }
            }
        }
    }
}
