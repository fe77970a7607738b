package dev.larder.lab.process;

import dev.larder.cli.Figures;
import dev.larder.lab.result.LabException;
import java.nio.file.Path;

/** A process that answers an experiment, one question at a time: a child of this one, or a process on another host. */
public interface Peer extends AutoCloseable {

    /**
     * Asks one question and waits for its answer.
     *
     * @throws LabException if it fails, or ends meanwhile
     */
    Figures ask(String command, Figures arguments);

    /** Returns the name to give it for a directory that it must fill: on another host, a directory there. */
    String place(Path directory);

    /** Returns how many nanoseconds its {@code System.nanoTime()} is ahead of this JVM's; 0 on the same host. */
    long clockAheadNanos();

    /** Returns where it runs, for people: {@code here}, or a host and a port. */
    String host();

    /** Ends it at once, even in the midst of work. */
    void destroy();

    /** Ends it after its current work. */
    @Override
    void close();
}
