package dev.larder.cli;

import java.io.OutputStream;

/** A shell whose commands of queues take their input as typed. */
abstract class QueueShell extends Shell {

    final int larder(String input, String... arguments) {
        return larder(typed(input), arguments);
    }

    final int larder(String input, OutputStream target, String... arguments) {
        return larder(typed(input), target, arguments);
    }
}
