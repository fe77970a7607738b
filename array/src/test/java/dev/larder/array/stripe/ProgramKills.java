package dev.larder.array.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.tests.support.ChildProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Kills a program that applies entries and prints {@code APPLIES n} before each.
 *
 * @param directory where its output goes
 * @param program its class: it gets a folder and a seed
 */
record ProgramKills(Path directory, Class<?> program) {

    private static final int KILLED = 137; // 128 and the number of SIGKILL

    /** Kills the program within an entry, again and again. Returns the entry after the furthest one in which it was killed. */
    long kill(Path folder, long seed, int kills, Random random) throws IOException, InterruptedException {
        long told = 0;
        for (int kill = 0; kill < kills; kill++) {
            Path output = directory.resolve(program.getSimpleName() + seed + "." + kill);
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:TieredStopAtLevel=1",
                            "-XX:+UseSerialGC",
                            "-Xmx128m",
                            "-ea",
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            System.getProperty("java.class.path"),
                            ChildProgram.class.getName(),
                            program.getName(),
                            folder.toString(),
                            Long.toString(seed))
                    .redirectError(directory.resolve("errors").toFile())
                    .redirectOutput(output.toFile())
                    .start();
            int warm = 3 + random.nextInt(20); // a program's first steps take long, and are no entry
            await().atMost(Duration.ofMinutes(2)).until(() -> isWarm(process, output, warm));
            TimeUnit.MICROSECONDS.sleep(random.nextInt(50_000));
            process.destroyForcibly();
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
            assertThat(process.exitValue()).as(this::errors).isEqualTo(KILLED);
            told = Math.max(told, told(output).getLast());
        }
        return told + 1;
    }

    private boolean isWarm(Process process, Path output, int entries) throws IOException {
        assertThat(process.isAlive())
                .as(() -> "the program has ended: " + errors())
                .isTrue();
        return told(output).size() >= entries;
    }

    private String errors() {
        try {
            return Files.readString(directory.resolve("errors"));
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Returns the numbers that a program has printed, without a line that a kill has cut off. */
    private static List<Long> told(Path output) throws IOException {
        String text = Files.readString(output);
        return text.substring(0, text.lastIndexOf('\n') + 1)
                .lines()
                .map(line -> Long.valueOf(line.substring("APPLIES ".length())))
                .toList();
    }
}
