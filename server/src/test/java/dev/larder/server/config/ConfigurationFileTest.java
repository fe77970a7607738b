package dev.larder.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.server.Configuration;
import dev.larder.server.Durability;
import dev.larder.server.ServerOptions;
import dev.larder.tests.support.OtherThread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Configuration files in Redis' syntax, the environment, and flags. */
final class ConfigurationFileTest {

    @TempDir
    private Path directory;

    private Path write(String name, String... lines) throws IOException {
        return Files.write(directory.resolve(name), List.of(lines));
    }

    @Test
    void linesAreReadAsRedisReadsThem() throws IOException {
        write("other.conf", "timeout 7");
        Configuration read = Configuration.read(write(
                "a.conf",
                "# a comment",
                "  MaxClients 100  ",
                "requirepass \"a b\\x41\"",
                "include other.conf",
                "save 3600 1",
                "save 60 10",
                "max-file-size 1gb",
                "max-file-eviction yes",
                "bind 127.0.0.1 -::1",
                "hash-max-ziplist-entries 12",
                "client-output-buffer-limit pubsub 1mb 1kb 3"));
        assertThat(read.value("maxclients")).isEqualTo("100");
        assertThat(read.value("requirepass")).isEqualTo("a bA");
        assertThat(read.value("timeout")).isEqualTo("7");
        assertThat(read.value("save")).isEqualTo("3600 1 60 10");
        assertThat(read.value("client-output-buffer-limit")).endsWith("pubsub 1048576 1024 3");
        assertThat(read.notes())
                .contains("hash-max-listpack-entries 12: has no effect in Larder, which keeps the value")
                .noneMatch(note -> note.startsWith("timeout"));
        ServerOptions options = read.options();
        assertThat(options.maxFileBytes()).hasValue(1L << 30);
        assertThat(options.evicts()).isTrue();
        assertThat(options.addresses()).isNotEmpty();
    }

    @Test
    void aUserMayBeAddedOnce() {
        Configuration one = Configuration.defaults().withUser("alice on \">a b\" ~*");
        assertThatThrownBy(() -> one.withUser("alice off")).hasMessage("user alice: Duplicate user found");
        assertThatThrownBy(() -> one.withUser(" ")).hasMessage("user: a name is missing");
        assertThatThrownBy(() -> one.withUser("bob \"")).hasMessageContaining("Unbalanced quotes");
    }

    @Test
    void aLineThatIsWrongIsNamed() throws IOException {
        Path file = write("a.conf", "", "maxclients 1 2");
        assertThatThrownBy(() -> Configuration.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(file + ", line 2: 'maxclients 1 2': Bad directive or wrong number of arguments");
        Path policy = write("b.conf", "maxmemory-policy volatile-all");
        assertThatThrownBy(() -> Configuration.read(policy))
                .hasMessageContaining("argument(s) must be one of the following: volatile-lru");
        Path quotes = write("c.conf", "dir \"abc");
        assertThatThrownBy(() -> Configuration.read(quotes)).hasMessageContaining("Unbalanced quotes");
        Path replica = write("d.conf", "replicaof a 1");
        assertThatThrownBy(() -> Configuration.read(replica)).hasMessageContaining("a single node has no replicas");
        Path circle = write("e.conf", "include e.conf");
        assertThatThrownBy(() -> Configuration.read(circle)).hasMessageContaining("include each other");
    }

    @Test
    void flagsReplaceTheEnvironmentAndThatTheFile() throws IOException {
        Path file = write("a.conf", "port 1", "timeout 1", "maxclients 1");
        Configuration all = Configuration.of(
                Optional.of(file),
                Map.of("LARDER_SERVE_PORT", "2", "LARDER_SERVE_TIMEOUT", "2", "HOME", "/"),
                List.of(Map.entry("port", "3")));
        assertThat(List.of(all.value("port"), all.value("timeout"), all.value("maxclients")))
                .containsExactly("3", "2", "1");
        assertThatThrownBy(() -> Configuration.defaults().withEnvironment(Map.of("LARDER_SERVE_PRT", "2")))
                .hasMessage("LARDER_SERVE_PRT 2: there is no such parameter");
        assertThatThrownBy(() -> Configuration.defaults().with("port", "x"))
                .hasMessage("port x: argument couldn't be parsed into an integer");
    }

    @Test
    void filesAreRelativeToTheFolderOfTheData() throws IOException {
        Configuration read = Configuration.read(write("a.conf", "aclfile users.acl", "dir /some/data"));
        assertThat(read.value("aclfile"))
                .isEqualTo(Path.of("/some/data/users.acl").toString());
        assertThat(read.with("dir", "/other").value("aclfile"))
                .isEqualTo(Path.of("/some/data/users.acl").toString());
    }

    @Test
    void durabilityFollowsFromTwoParameters() {
        Configuration defaults = Configuration.defaults();
        assertThat(defaults.options().durability()).isEqualTo(Durability.everySecond());
        assertThat(defaults.with("appendfsync", "always").options().durability())
                .isEqualTo(Durability.ofEveryWrite());
        assertThat(defaults.with("appendonly", "no").options().durability()).isEqualTo(Durability.none());
    }

    @Test
    void aRewriteKeepsCommentsOrderAndLinesThatAreStillTrue() throws IOException {
        Path file = write("a.conf", "# first", "timeout   5", "", "maxclients 10", "# last", "maxclients 20", "hz 10");
        Settings settings = new Settings();
        Directives.apply(Directives.read(file), settings);
        settings.change(Map.of("maxclients", "30", "requirepass", "a \"b\"\n"));
        ConfigurationRewriter.rewrite(file, settings, () -> List.of("user default on nopass ~* &* +@all"));
        assertThat(Files.readAllLines(file))
                .containsExactly(
                        "# first",
                        "timeout   5",
                        "",
                        "maxclients 30",
                        "# last",
                        "hz 10",
                        "# Added by CONFIG REWRITE",
                        "requirepass \"a \\\"b\\\"\\x0a\"",
                        "user default on nopass ~* &* +@all");
        Settings again = new Settings();
        Directives.apply(Directives.read(file), again);
        assertThat(again.text("requirepass")).isEqualTo("a \"b\"\n");
    }

    @Test
    void ofSeveralChangesAllAreMadeOrNone() {
        Settings settings = new Settings();
        settings.afterChange("timeout", value -> {
            if (value.equals("13")) {
                throw new SettingException("not today");
            }
        });
        assertThatThrownBy(() -> settings.change(new java.util.TreeMap<>(Map.of("maxclients", "5", "timeout", "13"))))
                .isInstanceOf(SettingException.class)
                .hasMessage("not today");
        assertThat(settings.text("maxclients")).isEqualTo("10000");
        assertThat(settings.text("timeout")).isEqualTo("0");
    }

    @Test
    void everyDefaultIsAValueOfItsType() {
        for (Parameter parameter : Parameters.list()) {
            assertThat(parameter.canonical(parameter.standard(), parameter.standard()))
                    .as(parameter.name())
                    .isEqualTo(parameter.standard());
        }
    }

    @Test
    void anEscapeThatMakesNoTextIsRefused() throws IOException {
        Path file = write("a.conf", "", "requirepass \"\\xff\\xfe\"");
        assertThatThrownBy(() -> Configuration.read(file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("line 2")
                .hasMessageContaining("word 2: its bytes must be UTF-8");
        assertThatThrownBy(() -> Configuration.defaults().withUser("joe \">\\xff\""))
                .hasMessageContaining("word 2: its bytes must be UTF-8");
        assertThat(Configuration.read(write("b.conf", "requirepass \"\\xc3\\xb6\""))
                        .value("requirepass"))
                .isEqualTo("\u00f6");
    }

    /** Regression: both wrote the same temporary file. One of them left an empty file, which a reader took for that of no users. */
    @Test
    void threadsThatReplaceAFileLeaveIt() throws IOException {
        Path target = directory.resolve("users.acl");
        List<List<String>> contents = List.of(List.of("short"), List.of("l".repeat(100_000)));
        ConfigurationRewriter.replace(target, contents::getFirst);
        CompletableFuture<?> threads = CompletableFuture.allOf(contents.stream()
                .map(lines -> OtherThread.run(() -> {
                    for (int i = 0; i < 100; i++) {
                        ConfigurationRewriter.replace(target, () -> lines);
                    }
                }))
                .toArray(CompletableFuture<?>[]::new));
        while (!threads.isDone()) {
            assertThat(contents).contains(Files.readAllLines(target));
        }
        assertThat(threads).isCompleted();
    }

    /** Regression: the second line was a directive of its own, which no check had seen. */
    @Test
    void aValueOfSeveralWordsIsCheckedAndStaysOneLine() {
        Settings settings = new Settings();
        assertThatThrownBy(() -> settings.change(Map.of("oom-score-adj-values", "1\nenable-debug-command yes")))
                .isInstanceOf(SettingException.class);
        assertThatThrownBy(() -> settings.change(Map.of("oom-score-adj-values", "1 2 3000")))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("elements must be between -2000 and 2000");
        assertThat(Directives.lines("oom-score-adj-values", "1 \"\n3"))
                .containsExactly("oom-score-adj-values 1 \"\\\"\" 3");
    }
}
