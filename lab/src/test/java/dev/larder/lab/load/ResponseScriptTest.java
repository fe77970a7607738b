package dev.larder.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.tests.support.Effort;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The guide's script reads the files of a load; it knows only the documented bytes. */
@Tag(Effort.LONG)
final class ResponseScriptTest {

    private static final Path SCRIPT = Path.of("..", "docs", "guide", "responses.py");
    private static final int LINES_MAX = 20;

    @TempDir
    Path directory;

    private static boolean isInstalled(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator, -1))
                .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
    }

    private List<String> read(Path responses) throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder("python3", SCRIPT.toString(), responses.toString())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        int code = process.waitFor();
        List<String> lines = Files.readAllLines(output);
        assertThat(code).as(String.join("\n", lines)).isZero();
        return lines;
    }

    @Test
    void readsEveryResponse() throws IOException, InterruptedException {
        assumeTrue(isInstalled("python3"), "there is no python3 to run the guide's script");
        assertThat(Files.readAllLines(SCRIPT)).hasSizeLessThanOrEqualTo(LINES_MAX);
        Path responses = directory.resolve("responses");
        LoadPlan plan = new LoadPlan(60_000, 1.5, 1, 1_000_000); // more than a queue's first segment holds
        new Generator(plan, Arrivals.constant(60_000), new KeyWorkload(10, 30, 1), new Pacer(0))
                .run(Driver::echo, responses);
        List<String> expected = new ArrayList<>(List.of("intended,sent,answered,waited,served,kind,status"));
        Responses.read(
                responses,
                (segment, offset, length) -> expected.add(String.join(
                        ",",
                        String.valueOf(Response.intended(segment, offset)),
                        String.valueOf(Response.sent(segment, offset)),
                        String.valueOf(Response.answered(segment, offset)),
                        String.valueOf(Response.waited(segment, offset)),
                        String.valueOf(Response.served(segment, offset)),
                        String.valueOf(Response.kind(segment, offset)),
                        String.valueOf(Response.status(segment, offset)))));
        assertThat(expected).hasSize(90_001);
        assertThat(read(responses)).isEqualTo(expected);
        try (Stream<Path> files = Files.list(responses)) {
            assertThat(files.filter(file -> file.toString().endsWith(".seg"))).hasSizeGreaterThan(1);
        }
    }
}
