package dev.larder.server.command;

/** How far a session has come in what its client sends, in bytes since the connection began. */
public interface InputPosition {

    /** Returns where the command ends that runs. No two commands of a session end at one place. */
    long end();

    /** Returns how many bytes have come at least, those included that no command has been made of. */
    long received();
}
