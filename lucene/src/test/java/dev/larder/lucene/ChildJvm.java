package dev.larder.lucene;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The command for another JVM on the class path of the tests. */
final class ChildJvm {

    private ChildJvm() {}

    static ProcessBuilder of(List<String> flags, Class<?> program, Object... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-ea", "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        if (TestMachine.hasNativeCalls()) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        for (Object argument : arguments) {
            command.add(argument.toString());
        }
        return new ProcessBuilder(command);
    }

    /** Runs a program to its end and returns what it printed. */
    static String run(List<String> flags, Class<?> program, Object... arguments)
            throws IOException, InterruptedException {
        Process process =
                of(flags, program, arguments).redirectErrorStream(true).start();
        String text = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError(text);
        }
        return text;
    }
}
