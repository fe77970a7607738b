package dev.larder.tests.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.cli.Answer;
import dev.larder.cli.Larder;
import dev.larder.cli.Streams;
import dev.larder.tests.support.Effort;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every command of the README and of the guides, typed as it stands there, block by block in one directory per page, with the
 * built distribution. Shown output is compared.
 *
 * <p>Other tests run some commands: those of Maven and programs ({@link ReadmeIT}), the script that reads responses (a test of
 * the lab), the array ({@code ArrayDistributionIT}). A server that a page starts ends with its page. An experiment runs only if
 * the page has {@code --quick}; for the others, the test checks the command line.
 */
class GuideCommandsIT {

    private static final Path ROOT =
            Path.of(System.getProperty("larder.root")).toAbsolutePath().normalize();

    /** Its session has nodes in the background, one of which is killed; {@code ArrayDistributionIT} runs the same. */
    private static final String ARRAY = "docs/guide/array.md";

    private static final String UNKNOWN = "larder: Unknown option: '--unheard-of'";

    private final GuideShell shell;

    GuideCommandsIT(@TempDir Path scratch) throws IOException {
        shell = new GuideShell(scratch);
    }

    @BeforeEach
    void needsAShell() {
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "no /bin/sh to run the commands of the guides");
    }

    @AfterEach
    void end() throws IOException, InterruptedException {
        shell.stopServer();
    }

    static List<String> pages() throws IOException {
        return allPages().stream()
                .filter(page -> !page.equals(ARRAY) && !commands(page, false).isEmpty())
                .toList();
    }

    private static List<String> allPages() throws IOException {
        try (Stream<Path> guides = Files.list(ROOT.resolve("docs/guide"))) {
            return Stream.concat(Stream.of(ROOT.resolve("README.md")), guides.sorted())
                    .filter(page -> page.toString().endsWith(".md"))
                    .map(page -> ROOT.relativize(page).toString())
                    .toList();
        }
    }

    private static List<GuideCommands.Step> commands(String page, boolean ofTheLab) {
        return GuideCommands.of(ROOT.resolve(page)).stream()
                .filter(step -> step.isOfTheLab() == ofTheLab)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("pages")
    void everyCommandDoesWhatThePageSays(String page) throws Exception {
        for (GuideCommands.Step step : commands(page, false)) {
            assumeTrue(
                    !step.command().contains("redis-cli") || GuideShell.has("redis-cli"),
                    "redis-cli is not installed, which the guides use");
            if (step.output().isEmpty()) {
                shell.run(step.command());
            } else {
                assertThat(shell.ask(step.command())).as(step.command()).isEqualTo(step.output());
            }
        }
    }

    /**
     * Every command of a table that begins with `larder queue`, or of a text, must be in the shell's completion, which has them
     * all.
     */
    @Test
    void everyNamedCommandExists() throws IOException {
        String known = completion("larder.distribution", "completion")
                + completion("larder.distribution.lab", "../completion")
                + completion("larder.distribution.server", "../completion")
                + completion("larder.distribution.array", "../completion");
        Set<String> named = new TreeSet<>();
        for (String page : allPages()) {
            named.addAll(GuideCommands.named(ROOT.resolve(page)));
        }
        assertThat(named).contains("queue tail", "queue tailers move", "map scan", "serve", "top");
        assertThat(named)
                .allSatisfy(command ->
                        assertThat(known).contains("function _picocli_larder_" + command.replace(' ', '_') + "("));
    }

    private static String completion(String distribution, String folder) throws IOException {
        return Files.readString(
                Path.of(System.getProperty(distribution)).resolve(folder).resolve("larder.bash"));
    }

    /**
     * With a wrong option added, a command is refused only for that option. The distribution's jars check all commands in this
     * JVM. A quick run on a busy machine may be void, which counts as the answer no.
     */
    @Test
    @Tag(Effort.LONG)
    void everyExperimentKnowsItsOptions() throws Exception {
        List<String> commands = Stream.of("README.md", "docs/guide/lab.md", "docs/guide/latency.md")
                .flatMap(page -> commands(page, true).stream())
                .map(GuideCommands.Step::command)
                .distinct()
                .toList();
        assertThat(commands).hasSizeGreaterThan(20);
        for (String command : commands) {
            if (command.contains("--quick")) {
                assertThat(shell.ask(command + less(command))).as(command).isNotBlank();
            }
        }
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader lab = lab()) {
            Thread.currentThread().setContextClassLoader(lab);
            for (String command : commands) {
                assertThat(refused(command)).as(command).startsWith(UNKNOWN);
            }
            assertThat(refused("./larder lab load --targets here")).doesNotStartWith(UNKNOWN);
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    /** A quarter of the bytes of a quick queue run: still four times its memory limit, but half the work. */
    private static String less(String command) {
        return command.contains("lab queue ") ? " --total 256MiB" : "";
    }

    private static URLClassLoader lab() throws IOException {
        List<URL> jars = new ArrayList<>();
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(Path.of(System.getProperty("larder.distribution.lab")), "*.jar")) {
            for (Path jar : files) {
                jars.add(jar.toUri().toURL());
            }
        }
        return new URLClassLoader(jars.toArray(URL[]::new), GuideCommandsIT.class.getClassLoader());
    }

    private String refused(String command) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(shell.words(command));
        words.add("--unheard-of");
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        try (Answer answer = new Answer(OutputStream.nullOutputStream());
                PrintStream said = new PrintStream(errors, true, StandardCharsets.UTF_8)) {
            Streams streams = new Streams(InputStream.nullInputStream(), answer, said, false);
            assertThat(Larder.execute(streams, words.toArray(String[]::new)))
                    .as(command)
                    .isEqualTo(2);
        }
        return errors.toString(StandardCharsets.UTF_8);
    }
}
