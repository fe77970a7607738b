package dev.larder.codec;

/**
 * A codec of messages with a fixed layout, which an interface presents in place. No object is made for a message, in
 * either direction.
 *
 * <pre>{@code
 * interface Tick {
 *     int symbol();      Tick symbol(int value);       the getter, and the setter
 *     double price();    Tick price(double value);
 * }
 *
 *  0    1        4         12       16
 *  | fd | schema | price   | symbol |               components by name, in the order of their names
 * }</pre>
 *
 * <p>A tailer passes one view to its handler. The view shows the message <b>during the call only</b>. An appender takes
 * any object of the interface: one that {@link #create} made, which can be filled again for each message, or a record
 * that implements the interface. A map refuses such a codec, as its values outlive the call.
 *
 * <p>The messages are the same as those of a record with this name and these components. Each of the two codecs reads messages
 * of the other, if the requested components have a fixed offset.
 *
 * @param <T> the interface
 */
public interface ViewCodec<T> extends Codec<T> {

    /** Returns a value with its own memory, all zero. Fill it, append it, and fill it again. */
    T create();
}
