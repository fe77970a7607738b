package consumer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GreetingTest {
    @TempDir
    Path scratch;

    @Test
    void shouldNameTheFlagAndRunWithoutNativeCalls() throws Exception {
        assertEquals("hello, native calls false", greet());
        String errors = Files.readString(scratch.resolve("errors"));
        assertTrue(isLinux() == errors.contains("--enable-native-access=dev.larder.memory "), errors);
        assertTrue(!errors.contains("WARNING"), errors);
    }

    @Test
    void shouldRunWithNativeCallsWhereTheyAreGranted() throws Exception {
        assertEquals("hello, native calls " + isLinux(), greet("--enable-native-access=dev.larder.memory"));
        assertEquals("", Files.readString(scratch.resolve("errors")));
    }

    private String greet(String... options) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of("--illegal-native-access=deny", "--sun-misc-unsafe-memory-access=deny"));
        command.addAll(List.of(options));
        command.addAll(List.of(
                "--module-path", System.getProperty("jdk.module.path"), "--module", "consumer/consumer.Greeting"));
        command.add(scratch.resolve("data").toString());
        Process process = new ProcessBuilder(command)
                .redirectOutput(scratch.resolve("output").toFile())
                .redirectError(scratch.resolve("errors").toFile())
                .start();
        assertEquals(0, process.waitFor(), () -> read("errors"));
        return read("output").strip();
    }

    private String read(String name) {
        try {
            return Files.readString(scratch.resolve(name));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static boolean isLinux() {
        return "Linux".equals(System.getProperty("os.name"));
    }
}
