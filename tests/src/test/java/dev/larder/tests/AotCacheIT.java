package dev.larder.tests;

import static java.util.concurrent.TimeUnit.MINUTES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.tests.support.Effort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.UserPrincipal;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The AOT cache of the launcher: made once, used if it fits, and never an obstacle to a command. */
@Tag(Effort.LONG)
class AotCacheIT {

    private static final Path DISTRIBUTION = Path.of(System.getProperty("larder.distribution"));
    private static final String HOME = System.getProperty("java.home");
    private static final String ENDING = ".aot";

    /** The cache that one test has made serves the others. */
    @TempDir
    static Path shared;

    private static Path folder = Path.of("");
    private static Path cache = Path.of("");
    private static byte[] made = new byte[0];

    @TempDir
    Path scratch;

    record Answer(int exitCode, String output, String errors) {}

    /** Starts several first commands at once: one of them starts the making of the cache, and none waits for it. */
    @BeforeAll
    static void make() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "no /bin/sh to run bin/larder");
        assumeTrue(HOME.indexOf(' ') < 0, "the path of the JDK has a blank");
        List<String> installed = list(DISTRIBUTION);
        folder = shared.resolve("a folder");
        List<Process> first = Stream.of("map", "queue", "top")
                .map(word -> start(environment(folder), shared, DISTRIBUTION, word, "--help"))
                .toList();
        for (Process process : first) {
            assertThat(process.waitFor()).isZero();
        }
        await().atMost(5, MINUTES)
                .until(() -> list(folder).size() == 1 && list(folder).getFirst().endsWith(ENDING));
        assertThat(list(DISTRIBUTION)).isEqualTo(installed);
        cache = folder.resolve(list(folder).getFirst());
        made = Files.readAllBytes(cache);
        assertThat(larder(environment(folder), "map", "create", map()).exitCode())
                .isZero();
        assertThat(larder(environment(folder), "map", "put", map(), "key", "value"))
                .isEqualTo(new Answer(0, "added\n", ""));
    }

    @AfterEach
    void restore() throws IOException {
        Files.write(cache, made);
        Files.setOwner(cache, Files.getOwner(folder));
    }

    private static String map() {
        return shared.resolve("map").toString();
    }

    @Test
    void shouldStartClassesFromTheCache() throws Exception {
        assertThat(sharedClasses(environment(folder))).isPositive();
        assertThat(sharedClasses(environment(Path.of("off")))).isZero();
    }

    /** Returns how many of our classes came from the cache. */
    private long sharedClasses(Map<String, String> environment) throws Exception {
        environment.put("LARDER_JAVA_OPTS", "-Xlog:class+load:file=" + scratch.resolve("classes"));
        assertThat(get(environment)).isEqualTo(new Answer(0, "value\n", ""));
        try (Stream<String> lines = Files.lines(scratch.resolve("classes"))) {
            return lines.filter(line -> line.contains(" dev.larder.") && line.contains("shared objects file"))
                    .count();
        }
    }

    /** A cache that was cut off, not written at all, or written in part, as a power loss leaves it. */
    @Test
    void shouldAnswerTheSameWithADamagedCache() throws Exception {
        byte[] holed = made.clone();
        Arrays.fill(holed, 1 << 20, holed.length, (byte) 0);
        for (byte[] damaged : List.of(new byte[0], Arrays.copyOf(made, 1 << 20), holed)) {
            Files.write(cache, damaged);
            assertThat(get(environment(folder))).isEqualTo(new Answer(0, "value\n", ""));
        }
    }

    @Test
    void shouldAnswerTheSameWhereNoCacheCanBe() throws Exception {
        for (String none : List.of("off", "/dev/null/nowhere")) {
            assertThat(get(environment(Path.of(none)))).isEqualTo(new Answer(0, "value\n", ""));
        }
        Map<String, String> homeless = environment(folder);
        homeless.remove("LARDER_CACHE");
        assertThat(get(homeless)).isEqualTo(new Answer(0, "value\n", ""));
    }

    @Test
    void shouldNotUseTheCacheOfAnotherUser() throws Exception {
        assumeTrue("root".equals(System.getProperty("user.name")), "only root gives files away");
        UserPrincipal other =
                cache.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody");
        Files.setOwner(cache, other);
        Path busy = Files.createDirectory(Path.of(cache.toString().replace(ENDING, ".making"))); // as if one were made
        assertThat(sharedClasses(environment(folder))).isZero();
        Files.delete(busy);
    }

    /** The time of a jar is part of the key: otherwise the JVM would refuse the cache, and each command would run without it. */
    @Test
    void shouldNotUseTheCacheOfOtherJars() throws Exception {
        Path copy = copyOf(DISTRIBUTION);
        try (Stream<Path> jars = Files.list(copy.resolve("lib"))) {
            Files.setLastModifiedTime(jars.findFirst().orElseThrow(), FileTime.fromMillis(1_234_567_890_000L));
        }
        assertThat(key(copy, Path.of(HOME))).isNotEqualTo(key(DISTRIBUTION, Path.of(HOME)));
    }

    /** The build of the JDK is part of the key, also if a newer one has replaced it at the same place. */
    @Test
    void shouldNotUseTheCacheOfAnotherJdk() throws Exception {
        Path jdk = Files.createDirectory(scratch.resolve("jdk"));
        Files.createSymbolicLink(jdk.resolve("lib"), Path.of(HOME, "lib"));
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25.0.9\"\n");
        String key = key(DISTRIBUTION, jdk);
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"25.0.10\"\n");
        assertThat(key(DISTRIBUTION, jdk)).isNotEqualTo(key).matches("\\d+-\\d+");
    }

    @Test
    void shouldKeepTheNewestCaches() throws Exception {
        Path caches = Files.createDirectory(scratch.resolve("cache"));
        for (int age = 0; age < 7; age++) {
            Path file = Files.createFile(caches.resolve(age + ENDING));
            Files.setLastModifiedTime(file, FileTime.fromMillis(1_700_000_000_000L - 60_000L * age));
        }
        sh("aot_forget \"$1\"", caches.toString());
        assertThat(list(caches)).containsExactly("0.aot", "1.aot", "2.aot", "3.aot");
    }

    /** The shipped launcher does not set these flags, but none of the shipped code may need what they forbid. */
    @Test
    void shouldRunWithTheFlagsThatForbid() throws Exception {
        Map<String, String> environment = environment(folder);
        environment.put("LARDER_JAVA_OPTS", "--illegal-native-access=deny --sun-misc-unsafe-memory-access=deny");
        assertThat(get(environment)).isEqualTo(new Answer(0, "value\n", ""));
    }

    private static Answer get(Map<String, String> environment) throws Exception {
        return larder(environment, "map", "get", map(), "key");
    }

    private static Map<String, String> environment(Path caches) {
        Map<String, String> environment = new HashMap<>();
        environment.put("LARDER_JAVA_HOME", HOME);
        environment.put("LARDER_CACHE", caches.toString());
        return environment;
    }

    private static Answer larder(Map<String, String> environment, String... arguments) throws Exception {
        int exitCode = start(environment, shared, DISTRIBUTION, arguments).waitFor();
        return new Answer(
                exitCode,
                Files.readString(shared.resolve("output-" + arguments[0])),
                Files.readString(shared.resolve("errors-" + arguments[0])));
    }

    private static Process start(
            Map<String, String> environment, Path directory, Path distribution, String... arguments) {
        ProcessBuilder builder = new ProcessBuilder(
                        distribution.resolve("bin/larder").toString())
                .directory(directory.toFile())
                .redirectOutput(directory.resolve("output-" + arguments[0]).toFile())
                .redirectError(directory.resolve("errors-" + arguments[0]).toFile());
        builder.command().addAll(List.of(arguments));
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/bin:/bin");
        builder.environment().putAll(environment);
        try {
            return builder.start();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private String key(Path distribution, Path jdk) throws Exception {
        return sh(
                "aot_key \"$1\" \"$2\"",
                jdk.toString(),
                distribution.resolve("lib").toString());
    }

    /** Returns the output of one of the launcher's functions. */
    private String sh(String call, String... arguments) throws Exception {
        Path output = scratch.resolve("printed");
        ProcessBuilder builder = new ProcessBuilder(
                        "/bin/sh",
                        "-c",
                        ". \"$0\"; " + call,
                        DISTRIBUTION.resolve("bin/larder-aot").toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.command().addAll(List.of(arguments));
        assertThat(builder.start().waitFor()).isZero();
        return Files.readString(output).strip();
    }

    private Path copyOf(Path distribution) throws IOException {
        Path copy = scratch.resolve("copy");
        try (Stream<Path> files = Files.walk(distribution)) {
            for (Path file : files.toList()) {
                Path target = copy.resolve(distribution.relativize(file).toString());
                Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        return copy;
    }

    private static List<String> list(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> !file.equals(directory))
                    .map(file -> directory.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }
}
