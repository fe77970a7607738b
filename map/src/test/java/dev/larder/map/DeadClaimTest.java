package dev.larder.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.codec.ValueCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.tests.support.ChildProgram;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process that was killed within a change, beside a process that has the map open, and one that opens it read-only. */
@Timeout(120)
final class DeadClaimTest {

    private static final int KILLED = 9;

    @TempDir
    Path directory;

    private static final String READING = "reading";

    /** Opens the map in the given folder, either to print its content or to end at a step of its second change. */
    public static final class Other {

        private Other() {}

        public static void main(String[] arguments) {
            if (arguments[1].equals(READING)) {
                LogOptions reading = TestMaps.options().withReadOnly(true);
                Path directory = Path.of(arguments[0]);
                try (LarderMap<Long, Long> map =
                        LarderMap.open(directory, ValueCodec.longs(), ValueCodec.longs(), reading)) {
                    System.out.println(new TreeMap<>(map));
                }
                return;
            }
            boolean[] ending = {false};
            LogOptions options = HookedOptions.withFailpoints(TestMaps.options(), step -> {
                if (ending[0] && step.equals(arguments[1])) {
                    Runtime.getRuntime().halt(KILLED);
                }
            });
            LarderMap<Long, Long> map =
                    TestMaps.longs(Path.of(arguments[0]), MapOptions.defaults().withLog(options));
            map.set(2L, 2L);
            ending[0] = true;
            map.set(3L, 3L);
        }
    }

    private void kill(String step) throws Exception {
        assertThat(start(step).waitFor()).isEqualTo(KILLED);
    }

    private String readOnly() throws Exception {
        Process process = start(READING);
        String read = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return read.strip();
    }

    private Process start(String what) throws IOException {
        String classPath = String.join(
                File.pathSeparator,
                Path.of(System.getProperty("basedir", ""), "target", "test-classes")
                        .toString(),
                System.getProperty("jdk.module.path", ""),
                System.getProperty("java.class.path"));
        return new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        classPath,
                        ChildProgram.class.getName(),
                        Other.class.getName(),
                        directory.toString(),
                        what))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** No sync comes that would settle the claim, so the live process settles it by itself. */
    @Test
    void holdsUpNobodyWhoOpensTheMapReadOnly() throws Exception {
        try (LarderMap<Long, Long> map = TestMaps.longs(directory)) {
            map.set(1L, 1L);
            kill("map.filled");
            map.set(4L, 4L);
            assertThat(readOnly()).isEqualTo("{1=1, 2=2, 4=4}");
            kill("map.linked");
            assertThat(readOnly()).isEqualTo("{1=1, 2=2, 3=3, 4=4}");
            assertThat(map).containsEntry(3L, 3L);
        }
    }
}
