package dev.larder.tests.guide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.tests.support.Effort;
import java.io.File;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** "Use it" of the README: its POM, programs and commands, outside of our build, with this machine's own Maven. */
class ReadmeIT {
    private static final String VERSION = System.getProperty("larder.version");
    private static final Path ROOT =
            Path.of(System.getProperty("larder.root")).toAbsolutePath().normalize();
    private static final Path INSTALLED =
            Path.of("target", "consumer-repository").toAbsolutePath();
    private static final Set<String> NOT_SOURCES = Set.of("target", ".git");
    private static final Pattern MODULE = Pattern.compile("`(module app \\{[^`]*})`");

    /** Settings by which Maven does not fetch again what the build has fetched already. */
    private static final String SETTINGS = """
        <settings>
          <profiles>
            <profile>
              <id>fetched-already</id>
              <activation><activeByDefault>true</activeByDefault></activation>
              <repositories>
                <repository><id>fetched-already</id><url>URL</url></repository>
              </repositories>
              <pluginRepositories>
                <pluginRepository><id>fetched-already</id><url>URL</url></pluginRepository>
              </pluginRepositories>
            </profile>
          </profiles>
        </settings>
        """;

    @TempDir
    Path project;

    @TempDir
    Path scratch;

    private String page = "";

    @BeforeEach
    void read() throws IOException {
        assumeTrue(Files.isExecutable(Path.of("/bin/sh")), "there is no /bin/sh to run the README's commands");
        page = Files.readString(ROOT.resolve("README.md"));
    }

    private String block(String language, String part) {
        Pattern blocks = Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL);
        List<String> found = blocks.matcher(page)
                .results()
                .map(block -> block.group(1))
                .filter(block -> block.contains(part))
                .toList();
        assertThat(found).as("blocks of " + language + " with " + part).hasSize(1);
        return found.getFirst();
    }

    private void write(String file, String text) throws IOException {
        Path path = project.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private void writeProject() throws IOException {
        write("pom.xml", block("xml", "<project"));
        write("src/main/java/app/Orders.java", block("java", "class Orders"));
        write("src/main/java/app/Stock.java", block("java", "class Stock"));
    }

    private String module() {
        Matcher module = MODULE.matcher(page);
        assertThat(module.find()).isTrue();
        return module.group(1);
    }

    @Test
    void runsFromTheClassPath() throws Exception {
        assumeInstalled();
        writeProject();
        assertThat(run(project, INSTALLED, block("sh", "-cp ")))
                .containsPattern("12 bytes at \\d+\\R")
                .contains("flour: 12");
    }

    @Test
    void runsFromTheModulePath() throws Exception {
        assumeInstalled();
        writeProject();
        write("src/main/java/module-info.java", module());
        assertThat(run(project, INSTALLED, block("sh", " -m app/"))).containsPattern("12 bytes at \\d+\\R");
    }

    @Test
    void namesThisVersionForGradle() {
        assertThat(block("kotlin", "dependencies {"))
                .contains(
                        "mavenLocal()",
                        "\"dev.larder:larder-bom:" + VERSION + "\"",
                        "\"dev.larder:larder-queue\"",
                        "\"dev.larder:larder-map\"");
    }

    /** The other tests use what the build has installed; this test does all that the reader does. */
    @Test
    @Tag(Effort.LONG)
    void installsJarsWithSourcesAndJavadoc() throws Exception {
        Path repository = scratch.resolve("repository");
        run(copyOfSources(), repository, block("sh", "-Dquick"));
        for (String name : List.of("memory", "log", "queue", "map", "lucene")) {
            for (String kind : List.of("", "-sources", "-javadoc")) {
                assertThat(repository.resolve(Path.of(
                                "dev",
                                "larder",
                                "larder-" + name,
                                VERSION,
                                "larder-" + name + "-" + VERSION + kind + ".jar")))
                        .isNotEmptyFile();
            }
        }
        writeProject();
        assertThat(run(project, repository, block("sh", "-cp "))).containsPattern("12 bytes at \\d+\\R");
    }

    /** Copies the sources, because the build that runs this test works with the jars of its own folder. */
    private Path copyOfSources() throws IOException {
        Path copy = scratch.resolve("larder");
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                if (NOT_SOURCES.contains(String.valueOf(folder.getFileName()))) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(copy.resolve(ROOT.relativize(folder)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.copy(file, copy.resolve(ROOT.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
                return FileVisitResult.CONTINUE;
            }
        });
        return copy;
    }

    private static void assumeInstalled() {
        assumeTrue(
                Files.isDirectory(INSTALLED.resolve("dev/larder/larder-queue")),
                "nothing was installed to build the README's project with (-Dinvoker.skip)");
    }

    /** Runs commands in a directory, with their own local repository, on the JDK of this test. */
    private String run(Path directory, Path repository, String commands) throws IOException, InterruptedException {
        Path bin = Files.createDirectories(scratch.resolve("bin"));
        Path settings = scratch.resolve("settings.xml");
        Files.writeString(
                settings,
                SETTINGS.replace(
                        "URL",
                        Path.of(System.getProperty("larder.local.repository"))
                                .toUri()
                                .toString()));
        Files.writeString(
                bin.resolve("mvn"),
                "#!/bin/sh\nexec '" + maven() + "' -B -ntp -T 1C -s '" + settings + "' -Dmaven.repo.local='"
                        + repository + "' \"$@\"\n");
        assertThat(bin.resolve("mvn").toFile().setExecutable(true)).isTrue();
        Path home = Path.of(System.getProperty("java.home"));
        Path output = scratch.resolve("output");
        List<String> command = List.of("/bin/sh", "-ec", commands);
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("MAVEN_") || name.startsWith("JAVA_"));
        builder.environment().put("JAVA_HOME", home.toString());
        builder.environment().put("MAVEN_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"); // a fifth less work
        builder.environment()
                .merge(
                        "PATH",
                        bin + File.pathSeparator + home.resolve("bin"),
                        (path, first) -> first + File.pathSeparator + path);
        int code = builder.start().waitFor();
        String said = Files.readString(output);
        assertThat(code).as(commands + said).isZero();
        return said;
    }

    private static Path maven() {
        List<Path> places = new ArrayList<>();
        for (String place : System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1)) {
            places.add(Path.of(place, "mvn"));
        }
        Optional<Path> found = places.stream().filter(Files::isExecutable).findFirst();
        assumeTrue(found.isPresent(), "there is no mvn on the PATH");
        return found.orElseThrow();
    }
}
