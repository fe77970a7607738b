package dev.larder.queue;

/** Is told of messages that a {@link MethodReader} has no method for. */
@FunctionalInterface
public interface UnknownMessageListener {

    /**
     * Takes note of a message that was skipped.
     *
     * @param position of the message
     * @param what the method or record that it is of, such as {@code method say(text)}; or that it is of none
     */
    void onUnknown(long position, String what);
}
