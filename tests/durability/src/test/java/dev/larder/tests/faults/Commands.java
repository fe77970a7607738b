package dev.larder.tests.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Commands of the system that tests use; what is missing is a reason to skip, with its name. */
final class Commands {

    private static final long TIMEOUT_SECONDS = 60;

    private Commands() {}

    /** Runs a command; returns whether it succeeded. */
    static boolean run(Object... command) throws IOException, InterruptedException {
        String[] words = new String[command.length];
        for (int i = 0; i < command.length; i++) {
            words[i] = command[i].toString();
        }
        Process process = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
    }

    /** Returns whether a program is there. */
    static boolean exists(String program) {
        for (String place : new String[] {"/usr/sbin", "/sbin", "/usr/bin", "/bin", "/usr/local/bin"}) {
            if (Files.isExecutable(Path.of(place, program))) {
                return true;
            }
        }
        return false;
    }
}
