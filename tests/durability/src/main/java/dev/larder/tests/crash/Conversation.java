package dev.larder.tests.crash;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;

/** The lines that a child process and its parent exchange, one word each. A child whose parent is gone halts. */
final class Conversation {

    private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private final Semaphore go = new Semaphore(0);
    private volatile boolean finishing;

    Conversation() {
        Thread.ofPlatform().daemon().name("parent").start(this::listen);
    }

    private void listen() {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.equals("go")) {
                    go.release();
                } else {
                    finishing = true;
                }
            }
        } catch (IOException e) {
            say("ERROR " + e);
        }
        Runtime.getRuntime().halt(3);
    }

    synchronized void say(String line) {
        out.println(line.replace('\n', ' '));
    }

    void awaitGo() {
        go.acquireUninterruptibly();
    }

    boolean isFinishing() {
        return finishing;
    }
}
