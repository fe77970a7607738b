package dev.larder.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.reflect.Modifier;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every example does what it says; all but those for two processes in this JVM, one after another. */
@Timeout(300)
final class ExamplesTest {

    /** Two of these are started together. */
    private static final Set<String> TOGETHER = Set.of("HelloReader", "HelloWriter", "SharedCache");

    private static final List<String> GUIDES = List.of("queue", "map", "lucene", "memory");

    private static final Path SOURCES = Path.of("src/main/java/dev/larder/examples");

    @TempDir
    Path directory;

    static Set<String> alone() throws IOException {
        Set<String> names = programs();
        names.removeAll(TOGETHER);
        return names;
    }

    private static Set<String> programs() throws IOException {
        try (Stream<Path> files = Files.list(SOURCES)) {
            Set<String> names = new TreeSet<>();
            files.map(file -> file.getFileName().toString().replace(".java", ""))
                    .filter(name -> !name.equals("package-info"))
                    .forEach(names::add);
            return names;
        }
    }

    @ParameterizedTest
    @MethodSource("alone")
    void doesWhatItSays(String name) throws ReflectiveOperationException {
        Class<?> program = Class.forName("dev.larder.examples." + name);
        assertThat(Modifier.isPublic(program.getModifiers())).isTrue();
        program.getMethod("main", String[].class).invoke(null, (Object) new String[] {directory.toString()});
    }

    @Test
    void oneProcessReadsWhatAnotherOneAppends() throws Exception {
        Process writer = start(HelloWriter.class);
        HelloReader.main(new String[] {directory.resolve("shared").toString()});
        assertThat(writer.waitFor()).isZero();
    }

    @Test
    void twoProcessesShareACache() throws Exception {
        Process other = start(SharedCache.class);
        SharedCache.main(new String[] {directory.resolve("shared").toString()});
        assertThat(other.waitFor()).isZero();
    }

    private Process start(Class<?> program) throws IOException, URISyntaxException {
        return new ProcessBuilder(commandOf(program))
                .redirectErrorStream(true)
                .redirectOutput(Redirect.to(directory.resolve("other.log").toFile()))
                .start();
    }

    private List<String> commandOf(Class<?> program) throws URISyntaxException {
        String shared = directory.resolve("shared").toString();
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        return List.of(java, "-Xmx64m", "-XX:TieredStopAtLevel=1", "-cp", classPath(), program.getName(), shared);
    }

    private static String classPath() throws URISyntaxException {
        StringBuilder path = new StringBuilder();
        for (Class<?> type : List.of(
                HelloQueue.class,
                dev.larder.codec.Codec.class,
                dev.larder.queue.LarderQueue.class,
                dev.larder.map.LarderMap.class,
                dev.larder.log.Log.class,
                dev.larder.memory.Storage.class)) {
            path.append(Path.of(type.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI()))
                    .append(System.getProperty("path.separator"));
        }
        return path.toString();
    }

    /** A reader finds an example by its guide alone. */
    @Test
    void everyExampleIsNamedInAGuide() throws IOException {
        StringBuilder guides = new StringBuilder();
        for (String guide : GUIDES) {
            guides.append(Files.readString(Path.of("../docs/guide", guide + ".md")));
        }
        assertThat(programs())
                .allSatisfy(name -> assertThat(guides.toString()).contains("examples/" + name + ".java)"));
    }
}
