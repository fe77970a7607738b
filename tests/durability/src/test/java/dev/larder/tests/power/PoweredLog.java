package dev.larder.tests.power;

import dev.larder.memory.Storage;
import java.util.List;

/** A log that is driven through power losses: Larder's, or one that is known to be wrong. */
interface PoweredLog extends AutoCloseable {

    /** Opens a log on a storage. */
    @FunctionalInterface
    interface Opener {
        PoweredLog open(Storage storage);
    }

    /** Appends; of one thread. */
    interface Writer {

        /** Appends messages, in one go if there are several; returns the position of the last. */
        long append(List<Message> messages, int[] lengths);

        /** Claims a place for a message and gives it up. */
        void abandon(int length);
    }

    /** Returns a new writer. */
    Writer writer();

    /** Makes durable what was appended before the call; returns the position before which everything is. */
    long sync();

    /** Reads everything; fails on bytes that no writer wrote. */
    List<Appended> readAll();

    /** Returns where what {@link #readAll} has last read begins: what lies before it was dropped. */
    default long begin() {
        return 0;
    }

    /** Returns what else works on the log while its power is cut: each is run again and again, by a thread of its own. */
    default List<Runnable> companions() {
        return List.of();
    }

    /** Is told that the power is about to be cut: what was promised by now must be kept. */
    default void beforeImage() {}

    /** Returns what is damaged. */
    List<String> problems();

    /** Returns how often this log was opened after a crash. */
    long recoveries();

    @Override
    void close();
}
