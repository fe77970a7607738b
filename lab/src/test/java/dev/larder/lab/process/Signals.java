package dev.larder.lab.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lab.result.Attempt;

/** Sends signals to a test's processes. */
public final class Signals {

    private Signals() {}

    /** Sends a signal, such as {@code STOP}. */
    public static void send(String name, long pid) {
        int code = Attempt.giving(
                "send a signal",
                () -> new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                        .inheritIO()
                        .start()
                        .waitFor());
        assertThat(code).isZero();
    }
}
