package consumer;

import dev.larder.memory.SystemStorage;
import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Sends a greeting through a queue in the directory that the first argument names. */
public final class Greeting {
    private Greeting() {}

    public static void main(String[] arguments) {
        try (LarderQueue queue = LarderQueue.open(Path.of(arguments[0]));
                Appender appender = queue.appender();
                Tailer tailer = queue.tailer()) {
            appender.append("hello");
            boolean polled = tailer.poll((segment, offset, length) -> System.out.print(new String(
                    segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8)));
            System.out.println((polled ? "" : "nothing") + ", native calls "
                    + SystemStorage.system().isNative());
        }
    }
}
