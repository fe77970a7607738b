package dev.larder.codec;

/**
 * Messages of a fixed layout, seen through an interface where they lie: no object is made for one, in either direction.
 *
 * <pre>{@code
 * interface Tick {
 *     int symbol();      Tick symbol(int value);       what is read, and what sets it
 *     double price();    Tick price(double value);
 * }
 *
 *  0    1        4         12       16
 *  | fd | schema | price   | symbol |               components by name, in the order of their names
 * }</pre>
 *
 * <p>A tailer gives its handler one view, which stands on the message <b>during the call only</b>. An appender takes any
 * object of the interface: one that {@link #create} made, filled again for each message, or a record that implements it.
 * Messages are those of a record of the same name and components: what one writes the other reads, as far as the
 * components that are asked for have a fixed place.
 *
 * @param <T> the interface
 */
public interface ViewCodec<T> extends Codec<T> {

    /** Returns a value with memory of its own, all zero: to be filled, appended, and filled again. */
    T create();
}
