package dev.larder.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.module.ModuleFinder;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The unpacked distribution, run by the system's own shell as a user would run it. */
class DistributionIT {
    private static final Path DISTRIBUTION = Path.of(System.getProperty("larder.distribution"));

    private static final Path LAB = Path.of(System.getProperty("larder.distribution.lab"));

    private static final Path SERVER = Path.of(System.getProperty("larder.distribution.server"));

    @TempDir
    Path scratch;

    record Answer(int exitCode, String output, String errors) {}

    @BeforeEach
    void needsAShell() {
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "no /bin/sh to run bin/larder");
    }

    @Test
    void shouldRunWithTheJavaThatIsNamed() throws Exception {
        Answer answer = run(Map.of("LARDER_JAVA_HOME", System.getProperty("java.home")), "bin/larder", "--version");

        assertThat(answer.errors()).isEmpty();
        assertThat(answer.output()).contains(System.getProperty("larder.version"));
        assertThat(answer.exitCode()).isZero();
    }

    @Test
    void shouldPassOptionsToTheJvm() throws Exception {
        Map<String, String> environment =
                Map.of("LARDER_JAVA_HOME", System.getProperty("java.home"), "LARDER_JAVA_OPTS", "-Xmx64m -showversion");

        assertThat(run(environment, "bin/larder", "--version").errors()).contains("Runtime Environment");
    }

    /** A shell without a locale, such as cron's, types the same bytes. */
    @ParameterizedTest
    @ValueSource(strings = {"LANG=", "LANG=C", "LC_ALL=C", "LC_ALL=xx_YY.UTF-8"})
    void shouldKeepTheCharactersOfArgumentsInEveryLocale(String locale) throws Exception {
        String map = scratch.resolve("map").toString();
        String[] setting = locale.split("=", -1);
        Map<String, String> java = Map.of("LARDER_JAVA_HOME", System.getProperty("java.home"));
        Map<String, String> plain = new HashMap<>(java);
        plain.put("LC_ALL", "");
        plain.put("LC_CTYPE", "");
        plain.put(setting[0], setting[1]);
        Map<String, String> utf8 = new HashMap<>(java);
        utf8.put("LC_ALL", "C.UTF-8");
        // written as bytes, because the locale of the test itself may lack the characters
        String put = "'" + DISTRIBUTION.resolve("bin/larder") + "' map put '" + map + "' \"$(printf '\\303\\";
        assertThat(run(java, "bin/larder", "map", "create", map).exitCode()).isZero();
        for (String[] entry : new String[][] {{"226", "1"}, {"204", "2"}}) {
            Answer answer = run(plain, "/bin/sh", "-c", put + entry[0] + "')l\" " + entry[1]);
            assertThat(answer.exitCode()).as(answer.errors()).isZero();
        }
        assertThat(run(utf8, "bin/larder", "map", "scan", map).output().lines())
                .containsExactlyInAnyOrder("\u00d6l\t1", "\u00c4l\t2");
    }

    @Test
    void shouldHoldTheCompletionOfItsCommands() {
        assertThat(DISTRIBUTION.resolve("completion/larder.bash"))
                .content()
                .startsWith("#!/usr/bin/env bash")
                .contains("queue", "verify", "top");
        assertThat(LAB.resolveSibling("completion/larder.bash")).content().contains("queue", "verify", "lab", "search");
    }

    /** The libraries of the experiments are heavy: a user of a queue gets none of them. */
    @Test
    void shouldHoldTheCommandAndNothingOfTheLab() throws Exception {
        Set<String> own = modules(DISTRIBUTION.resolve("lib"));
        assertThat(own)
                .contains("dev.larder.cli", "dev.larder.queue", "dev.larder.map")
                .doesNotContain("dev.larder.lab", "dev.larder.lucene", "dev.larder.server")
                .allMatch(name -> name.startsWith("dev.larder.")
                        || name.equals("info.picocli")
                        || name.startsWith("org.jline.")
                        || name.startsWith("tools.jackson."));
        assertThat(modules(LAB)).contains("dev.larder.lab", "dev.larder.lucene").doesNotContainAnyElementsOf(own);
        assertThat(modules(SERVER))
                .contains("dev.larder.server", "dev.larder.serve")
                .doesNotContainAnyElementsOf(own);
        assertThat(DISTRIBUTION.resolve("lab")).doesNotExist();
        assertThat(DISTRIBUTION.resolve("server")).doesNotExist();
    }

    @Test
    void shouldWorkWithoutTheLab() throws Exception {
        Map<String, String> environment = Map.of(
                "LARDER_JAVA_HOME", System.getProperty("java.home"), "LARDER_JAVA_OPTS", "--show-module-resolution");
        Answer created = run(
                environment,
                "bin/larder",
                "queue",
                "create",
                scratch.resolve("queue").toString());
        assertThat(created.exitCode()).as(created.errors()).isZero();
        assertThat(created.output()).contains("dev.larder.queue").doesNotContain("netty", "lucene", "xchart");

        Answer lab = run(Map.of("LARDER_JAVA_HOME", System.getProperty("java.home")), "bin/larder", "lab", "queue");
        assertThat(lab.exitCode()).isEqualTo(3);
        assertThat(lab.errors()).startsWith("larder: the lab is not installed").hasLineCount(1);
        assertThat(lab.output()).isEmpty();
    }

    @Test
    void shouldTakeTheLabFromItsOwnFolder() throws Exception {
        Map<String, String> environment =
                Map.of("LARDER_JAVA_HOME", System.getProperty("java.home"), "LARDER_LAB", LAB.toString());

        Answer answer = run(environment, "bin/larder", "lab", "--help");

        assertThat(answer.errors()).isEmpty();
        assertThat(answer.output()).contains("search", "database", "play");
        assertThat(answer.exitCode()).isZero();
    }

    @Test
    void shouldSayHowToGetTheServer() throws Exception {
        Answer serve = run(Map.of("LARDER_JAVA_HOME", System.getProperty("java.home")), "bin/larder", "serve", "data");

        assertThat(serve.exitCode()).isEqualTo(3);
        assertThat(serve.errors())
                .startsWith("larder: the server is not installed")
                .hasLineCount(1);
    }

    /** Serves by epoll if the system has it: the launcher grants Netty what it needs. */
    @Test
    void shouldServeUntilItIsStopped() throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                DISTRIBUTION.resolve("bin/larder").toString(),
                "serve",
                scratch.resolve("data").toString(),
                "--port",
                "0");
        builder.environment().put("LARDER_JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("LARDER_SERVER", SERVER.toString());
        Process server =
                builder.redirectError(scratch.resolve("errors").toFile()).start();
        try (BufferedReader output = server.inputReader()) {
            String line = output.readLine();
            assertThat(line)
                    .as(Files.readString(scratch.resolve("errors")))
                    .matches("serving .*data on 127\\.0\\.0\\.1 port \\d+ \\((epoll|nio)\\)");
            int port = Integer.parseInt(line.replaceAll(".* port (\\d+) .*", "$1"));
            try (Socket client = new Socket(InetAddress.getLoopbackAddress(), port)) {
                client.getOutputStream().write("SET fruit apple\r\nGET fruit\r\n".getBytes(StandardCharsets.US_ASCII));
                assertThat(client.getInputStream().readNBytes(16)).asString().isEqualTo("+OK\r\n$5\r\napple\r\n");
            }
            server.destroy();
            assertThat(server.waitFor()).isIn(0, 143);
            assertThat(scratch.resolve("errors")).content().isEmpty();
        } finally {
            server.destroyForcibly();
        }
    }

    private static Set<String> modules(Path folder) {
        return ModuleFinder.of(folder).findAll().stream()
                .map(module -> module.descriptor().name())
                .collect(Collectors.toSet());
    }

    @Test
    void shouldRefuseANamedJavaThatIsTooOld() throws Exception {
        Path old = scratch.resolve("old");
        Files.createDirectories(old.resolve("bin"));
        assertThat(Files.createFile(old.resolve("bin/java")).toFile().setExecutable(true))
                .isTrue();
        Files.writeString(old.resolve("release"), "JAVA_VERSION=\"17.0.15\"\n");

        Answer answer = run(Map.of("LARDER_JAVA_HOME", old.toString()), "bin/larder", "--version");

        assertThat(answer.exitCode()).isEqualTo(1);
        assertThat(answer.errors()).contains("LARDER_JAVA_HOME names no Java 25 or newer: " + old);
    }

    @Test
    void shouldFindJavaBehindLinksOnThePath() throws Exception {
        Path bin = Files.createDirectories(scratch.resolve("bin"));
        Path link = Files.createSymbolicLink(bin.resolve("java"), Path.of(System.getProperty("java.home"), "bin/java"));

        Answer answer = run(Map.of("PATH", bin + ":/usr/bin:/bin"), "bin/larder-java");
        Files.delete(link);

        assertThat(Path.of(answer.output().strip()).toRealPath())
                .isEqualTo(Path.of(System.getProperty("java.home")).toRealPath());
    }

    /** These sources lie beside no module-info, which would need a module path; one example needs another file of the folder. */
    @Test
    void shouldRunExamplesFromTheirSource() throws Exception {
        for (String example : List.of("HelloWriter", "HelloReader")) {
            Process process = startExample(example);
            assertThat(process.waitFor()).as(example + ": %s", said(example)).isZero();
            assertThat(said(example)).contains("1000 messages");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"TypedValues", "SnapshotOfAMap", "NearRealTimeSearch", "SharedMemory"})
    void shouldRunAnExampleAsOneFile(String example) throws Exception {
        assertThat(startExample(example).waitFor())
                .as(example + ": %s", said(example))
                .isZero();
        assertThat(said(example)).isNotBlank();
    }

    @Test
    void shouldShareACacheBetweenTwoJvms() throws Exception {
        Process first = startExample("SharedCache");
        Process second = startExample("SharedCache");
        assertThat(first.waitFor()).as(said("SharedCache")).isZero();
        assertThat(second.waitFor()).as(said("SharedCache")).isZero();
    }

    private String said(String example) throws IOException {
        return Files.readString(scratch.resolve(example));
    }

    /** Starts an example as the guides do: the file, with the jars of the distribution on the class path. */
    private Process startExample(String example) throws IOException {
        Path examples = Files.createDirectories(scratch.resolve("source/dev/larder/examples"));
        copyFiles(Path.of("../examples/src/main/java/dev/larder/examples"), examples);
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        return new ProcessBuilder(
                        java.toString(),
                        "-cp",
                        DISTRIBUTION.resolve("lib").resolve("*") + ":" + LAB.resolve("*"),
                        examples.resolve(example + ".java").toString(),
                        scratch.resolve("shared").toString())
                .redirectErrorStream(true)
                .redirectOutput(Redirect.appendTo(scratch.resolve(example).toFile()))
                .start();
    }

    private static void copyFiles(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    private Answer run(Map<String, String> environment, String script, String... arguments)
            throws IOException, InterruptedException {
        Path output = scratch.resolve("output");
        Path errors = scratch.resolve("errors");
        ProcessBuilder builder = new ProcessBuilder(DISTRIBUTION.resolve(script).toString())
                .directory(DISTRIBUTION.toFile())
                .redirectOutput(output.toFile())
                .redirectError(errors.toFile());
        builder.command().addAll(List.of(arguments));
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/bin:/bin");
        builder.environment().putAll(environment);
        int exitCode = builder.start().waitFor();
        return new Answer(exitCode, Files.readString(output), Files.readString(errors));
    }
}
