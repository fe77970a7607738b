package dev.larder.lab.process;

import dev.larder.cli.Figures;
import dev.larder.lab.result.LabException;
import java.nio.file.Path;

/** A process that does what an experiment asks, one question at a time: a child of this one, or one on another host. */
public interface Peer extends AutoCloseable {

    /**
     * Asks one question and waits for its answer.
     *
     * @throws LabException when it fails at it, or ends meanwhile
     */
    Figures ask(String command, Figures arguments);

    /** Returns what it is to be told of a directory of ours that it is to fill: on another host, that is one there. */
    String place(Path directory);

    /** Returns by how many nanoseconds its {@code System.nanoTime()} is ahead of ours; 0 on the same host. */
    long clockAheadNanos();

    /** Returns where it runs, for people: {@code here}, or a host and a port. */
    String host();

    /** Ends it at once, whatever it does. */
    void destroy();

    /** Ends it, once it has done what it was asked. */
    @Override
    void close();
}
