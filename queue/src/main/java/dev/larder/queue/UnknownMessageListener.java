package dev.larder.queue;

/** A listener for messages for which a {@link MethodReader} has no method. */
@FunctionalInterface
public interface UnknownMessageListener {

    /**
     * Called for each message that was skipped.
     *
     * @param position of the message
     * @param what the method or record of the message, for example {@code method say(text)}; or a text that it has none
     */
    void onUnknown(long position, String what);
}
