package dev.larder.tests.faults;

import dev.larder.tests.support.SystemPrograms;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Commands of the system that tests run to their end. */
final class Commands {

    private static final long TIMEOUT_SECONDS = 60;

    private Commands() {}

    /** Runs a command; returns whether it succeeded. */
    static boolean run(Object... command) throws IOException, InterruptedException {
        List<String> words = Stream.of(command).map(Object::toString).toList();
        Process process = new ProcessBuilder(SystemPrograms.located(words))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
    }
}
