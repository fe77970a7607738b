package dev.larder.server.command;

/** A session's position in its client's input, in bytes since the connection began. */
public interface InputPosition {

    /** Returns where the running command ends. No two commands of a session end at one place. */
    long end();

    /** Returns how many bytes have come at least, including those that are not part of a command yet. */
    long received();
}
