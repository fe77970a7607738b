package dev.larder.lab.process;

import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;

/** Commands of the system that answer in a line, or fail with their own words. */
final class SystemCommand {

    private SystemCommand() {}

    /** Runs a command and returns what it says. */
    static String answer(String... words) {
        try {
            Process process =
                    new ProcessBuilder(words).redirectErrorStream(true).start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            int code = process.waitFor();
            if (code != 0) {
                throw new LabException(String.join(" ", words) + ": " + (said.isEmpty() ? "exit code " + code : said));
            }
            return said;
        } catch (IOException e) {
            throw new LabException("cannot run " + words[0] + ": " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabException("interrupted while " + words[0] + " ran", e);
        }
    }

    /** Fails where a program is not installed, and says how to get it. */
    static void require(String program, String remedy) {
        try {
            new ProcessBuilder(program, "--version")
                    .redirectErrorStream(true)
                    .redirectOutput(Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new LabException("there is no " + program + ": " + remedy, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabException("interrupted while " + program + " was looked for", e);
        }
    }
}
