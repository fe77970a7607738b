package dev.larder.examples;

import dev.larder.queue.LarderQueue;
import dev.larder.queue.MethodReader;
import java.lang.invoke.MethodHandles;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Turns the calls of an interface into messages. A reader repeats the calls, now or a year later. */
public final class CallsAsMessages {

    interface Orders {
        void placed(String symbol, double price, int size);

        void cancelled(String symbol);
    }

    /** A service that was written before orders could be cancelled. */
    interface Placements {
        void placed(String symbol, double price, int size);
    }

    private CallsAsMessages() {}

    public static void main(String[] arguments) {
        List<String> book = new ArrayList<>();
        List<String> skipped = new ArrayList<>();
        try (LarderQueue queue = LarderQueue.open(Path.of(arguments[0]))) {
            Orders orders = queue.methodWriter(Orders.class, MethodHandles.lookup());
            orders.placed("XY", 1.5, 7);
            orders.cancelled("XY");

            Placements service = (symbol, price, size) -> book.add(size + " " + symbol + " at " + price);
            MethodReader calls = queue.methodReader(queue.tailer(), Placements.class, service, MethodHandles.lookup());
            calls.onUnknown((position, what) -> skipped.add(what));
            calls.drain(10);
        }
        System.out.println("made " + book + ", skipped " + skipped);
        if (!book.equals(List.of("7 XY at 1.5")) || skipped.size() != 1) {
            throw new IllegalStateException("made " + book + ", skipped " + skipped);
        }
    }
}
