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

    /** Appends; for one thread. */
    interface Writer {

        /** Appends messages, in one go if there are several; returns the position of the last. */
        long append(List<Message> messages, int[] lengths);

        /** Claims a place for a message and gives it up. */
        void abandon(int length);
    }

    /** Returns a new writer. */
    Writer writer();

    /** Makes durable what was appended before the call; returns the position before which everything is durable. */
    long sync();

    /** Reads everything; fails on bytes that no writer wrote. */
    List<Appended> readAll();

    /** Returns the position at which the last {@link #readAll} began: messages before it were dropped. */
    default long begin() {
        return 0;
    }

    /** Returns further work on the log while its power is cut: a thread of its own runs each task again and again. */
    default List<Runnable> companions() {
        return List.of();
    }

    /** Called before the power is cut: promises made by now must be kept. */
    default void beforeImage() {}

    /** Returns a text for each damage that the log finds. */
    List<String> problems();

    /** Returns how often this log was opened after a crash. */
    long recoveries();

    @Override
    void close();
}
