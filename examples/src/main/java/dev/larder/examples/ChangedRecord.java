package dev.larder.examples;

import dev.larder.codec.Codec;
import dev.larder.codec.SchemaMismatchException;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.TypedAppender;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads messages by three forms of one record, from three releases of a program. Names and types are stored in the queue.
 */
public final class ChangedRecord {

    /** The first release: it wrote the messages. */
    interface First {
        record Trade(String symbol, double price, int lot) {}
    }

    /** The second release has dropped the lot and added a venue. */
    interface Second {
        record Trade(String symbol, double price, String venue) {}
    }

    /** The third release has changed the type of a price. No reader can guess what that means. */
    interface Third {
        record Trade(String symbol, String price) {}
    }

    private ChangedRecord() {}

    public static void main(String[] arguments) {
        List<Second.Trade> read = new ArrayList<>();
        String mismatch = "";
        try (LarderQueue queue = LarderQueue.open(Path.of(arguments[0]))) {
            TypedAppender<First.Trade> first = queue.appender(Codec.records(First.Trade.class));
            first.append(new First.Trade("XY", 1.5, 7));
            TypedAppender<Second.Trade> second = queue.appender(Codec.records(Second.Trade.class));
            second.append(new Second.Trade("XY", 1.6, "London"));

            queue.tailer(Codec.records(Second.Trade.class)).drain(read::add, 10);
            try {
                queue.tailer(Codec.records(Third.Trade.class)).next();
            } catch (SchemaMismatchException e) {
                mismatch = String.valueOf(e.getMessage());
            }
        }
        System.out.println(read);
        System.out.println(mismatch);
        boolean added = read.getFirst().venue() == null; // an added component of the old message
        boolean named = mismatch.contains("f64") || mismatch.contains("double");
        if (read.size() != 2 || !added || !named) {
            throw new IllegalStateException("read " + read + "; " + mismatch);
        }
    }
}
