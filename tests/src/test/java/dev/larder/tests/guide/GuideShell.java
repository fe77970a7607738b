package dev.larder.tests.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.tests.support.FreePorts;
import dev.larder.tests.support.SelfSignedCertificate;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A directory in which a reader of the guides types: it has a {@code larder}, and {@code redis-cli} finds its server. */
final class GuideShell {

    /**
     * The built distribution. A server runs in the background, on free ports, and ends before the next one begins: the reader
     * has another shell, and the ports of the page may be taken here.
     */
    private static final String LARDER = """
        #!/bin/sh
        real=DISTRIBUTION/bin/larder
        [ -z "${LARDER_WORDS:-}" ] || { printf '%s\\n' "$@"; exit; }
        case "$1" in
            serve) ;;
            backup) exec "$real" "$@" --port "$(sed -n 's/^serving .* port \\([0-9]*\\) .*/\\1/p' SCRATCH/server.log)" ;;
            *) exec "$real" "$@" ;;
        esac
        case " $* " in
            *' --port '*) ;;
            *) set -- "$@" --port 0 ;;
        esac
        stop-server
        for argument; do
            shift
            [ "$argument" = 6380 ] && argument=TLS_PORT
            set -- "$@" "$argument"
        done
        "$real" "$@" >SCRATCH/server.log 2>&1 &
        echo $! >SCRATCH/server.pid
        until grep -q '^serving' SCRATCH/server.log; do
            kill -0 "$(cat SCRATCH/server.pid)" 2>/dev/null || { cat SCRATCH/server.log >&2; exit 1; }
            sleep 0.1
        done
        cat SCRATCH/server.log
        """;

    private static final String STOP = """
        #!/bin/sh
        [ -e SCRATCH/server.pid ] || exit 0
        pid=$(cat SCRATCH/server.pid)
        rm SCRATCH/server.pid
        kill "$pid" 2>/dev/null
        while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
        """;

    /** An error reply of the server is an error of the command. */
    private static final String REDIS_CLI = """
        #!/bin/sh
        port=$(sed -n 's/^serving .* port \\([0-9]*\\) .*/\\1/p' SCRATCH/server.log)
        exec REDIS_CLI -e -p "$port" "$@"
        """;

    private final Path scratch;
    private final Path directory;
    private final Path bin;

    GuideShell(Path scratch) throws IOException {
        this.scratch = scratch;
        directory = Files.createDirectories(scratch.resolve("directory"));
        bin = Files.createDirectories(scratch.resolve("bin"));
        write("larder", LARDER);
        Files.createSymbolicLink(directory.resolve("larder"), bin.resolve("larder"));
        write("stop-server", STOP);
        write("redis-cli", REDIS_CLI);
        write("sudo", "#!/bin/sh\nexec \"$@\"\n");
        Files.writeString(directory.resolve("larder.conf"), "maxmemory-policy noeviction\n");
    }

    private void write(String name, String script) throws IOException {
        Path file = bin.resolve(name);
        Files.writeString(
                file,
                script.replace("DISTRIBUTION", System.getProperty("larder.distribution"))
                        .replace("REDIS_CLI", find("redis-cli"))
                        .replace("TLS_PORT", Integer.toString(FreePorts.takeOne()))
                        .replace("SCRATCH", scratch.toString()));
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    /** Returns whether a program is on the path of this test. */
    static boolean has(String program) {
        return !find(program).equals(program);
    }

    private static String find(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .findFirst()
                .map(Path::toString)
                .orElse(program);
    }

    /** Runs a command, which must succeed; returns its output. */
    String run(String command) throws IOException, InterruptedException {
        return run(command, 0);
    }

    /** Runs a command whose answer a page shows; exit code 1 is a valid answer, a no. */
    String ask(String command) throws IOException, InterruptedException {
        return run(command, 1);
    }

    private String run(String command, int largestCode) throws IOException, InterruptedException {
        if (command.contains("--tls-cert-file") && !Files.exists(directory.resolve("server.crt"))) {
            SelfSignedCertificate.make(directory, "server");
        }
        int code = code(command);
        String said = Files.readString(scratch.resolve("output"));
        assertThat(code).as(command + "\n" + said + errors()).isBetween(0, largestCode);
        return said;
    }

    /** Returns the words that a one-line command passes to {@code larder}, without running it. */
    List<String> words(String command) throws IOException, InterruptedException {
        return run("export LARDER_WORDS=yes\n" + command, 0).lines().toList();
    }

    /** Runs a command; returns its exit code. */
    int code(String command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(List.of("/bin/sh", "-ec", command))
                .directory(directory.toFile())
                .redirectOutput(scratch.resolve("output").toFile())
                .redirectError(scratch.resolve("errors").toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("LARDER_"));
        builder.environment().put("LARDER_JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("LARDER_LAB", System.getProperty("larder.distribution.lab"));
        builder.environment().put("LARDER_SERVER", System.getProperty("larder.distribution.server"));
        builder.environment().put("LARDER_CACHE", "off");
        builder.environment().put("LARDER_JAVA_OPTS", "-XX:TieredStopAtLevel=1"); // these programs end soon
        builder.environment().merge("PATH", bin.toString(), (path, first) -> first + File.pathSeparator + path);
        return builder.start().waitFor();
    }

    /** Returns what the last command has written to standard error. */
    String errors() throws IOException {
        return Files.readString(scratch.resolve("errors"));
    }

    /** Ends the server that a page has started, if any. */
    void stopServer() throws IOException, InterruptedException {
        assertThat(code("stop-server")).isZero();
    }
}
