package dev.larder.server.command;

/** Whether commands have changed a key since a client began to watch it, even if it holds the same again. */
public interface KeyWatch extends AutoCloseable {

    /** Of a key that nobody watches here. */
    KeyWatch NONE = new KeyWatch() {
        @Override
        public boolean isTouched() {
            return false;
        }

        @Override
        public void close() {}
    };

    /** Returns whether a command has changed the key since. Changes by other processes are not heard. */
    boolean isTouched();

    /** Ends it. */
    @Override
    void close();
}
