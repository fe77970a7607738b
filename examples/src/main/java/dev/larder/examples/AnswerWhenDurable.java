package dev.larder.examples;

import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import java.nio.file.Path;

/** Answers requests only once a power loss cannot undo them. Many requests share one flush. */
public final class AnswerWhenDurable {

    private static final int REQUESTS = 100;

    private AnswerWhenDurable() {}

    public static void main(String[] arguments) {
        LogOptions options = LogOptions.defaults().withSync(SyncPolicy.none()); // this program decides when
        try (LarderQueue queue = LarderQueue.open(Path.of(arguments[0]), options);
                Appender appender = queue.appender()) {
            long last = 0;
            for (int request = 0; request < REQUESTS; request++) {
                last = appender.append("request " + request);
            }
            if (queue.durablePosition() > last) {
                throw new IllegalStateException("nobody has asked for a flush yet");
            }
            long durable = queue.sync();
            System.out.println(REQUESTS + " requests may be answered: durable up to position " + durable);
            if (durable <= last) {
                throw new IllegalStateException("durable up to " + durable + ", the last request is at " + last);
            }
        }
    }
}
