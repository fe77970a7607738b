package dev.larder.examples;

import dev.larder.codec.Codec;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.TypedAppender;
import java.nio.file.Path;

/** The writing process of two. Start one writer, before or after {@link HelloReader}. */
public final class HelloWriter {

    static final int MESSAGES = 1000;
    static final String LAST = "good bye";

    private HelloWriter() {}

    public static void main(String[] arguments) {
        try (LarderQueue queue = LarderQueue.open(Path.of(arguments[0]));
                TypedAppender<String> appender = queue.appender(Codec.texts())) {
            for (int message = 1; message < MESSAGES; message++) {
                appender.append("message " + message);
            }
            appender.append(LAST);
            System.out.println("appended " + MESSAGES + " messages");
        }
    }
}
