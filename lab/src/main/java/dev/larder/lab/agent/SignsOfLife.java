package dev.larder.lab.agent;

import java.io.IOException;

/** Tells a conductor now and then that its question is being answered. */
final class SignsOfLife implements AutoCloseable {

    private final AgentLines lines;
    private final Thread thread =
            Thread.ofPlatform().daemon().name("signs-of-life").unstarted(this::run);

    SignsOfLife(AgentLines lines) {
        this.lines = lines;
        thread.start();
    }

    private void run() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.sleep(AgentLines.SIGN_OF_LIFE_MILLIS);
                lines.writeSignOfLife();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // the answer is there
        } catch (IOException e) {
            // The connection has ended; who reads from it sees that too.
        }
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
