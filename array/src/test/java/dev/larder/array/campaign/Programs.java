package dev.larder.array.campaign;

import dev.larder.tests.support.SystemPrograms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Programs of the system that the campaign runs to their end. */
final class Programs {

    private static final int PATIENCE_SECONDS = 30;

    private Programs() {}

    /** Runs a program and returns its output. A program that fails is an error with its output. */
    static String run(List<String> command) {
        return run(command, "");
    }

    /** Runs a program on some input. */
    static String run(List<String> command, String input) {
        try {
            Process process = new ProcessBuilder(SystemPrograms.located(command))
                    .redirectErrorStream(true)
                    .start();
            process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().close();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IllegalStateException(String.join(" ", command) + " failed: " + said);
            }
            return said;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
