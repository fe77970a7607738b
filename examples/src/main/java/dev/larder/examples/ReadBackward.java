package dev.larder.examples;

import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The last messages, the newest first; then forward again. */
public final class ReadBackward {

    private ReadBackward() {}

    public static void main(String[] arguments) {
        List<String> last = new ArrayList<>();
        try (LarderQueue queue = LarderQueue.open(Path.of(arguments[0]));
                Appender appender = queue.appender();
                Tailer tailer = queue.tailer()) {
            for (int line = 1; line <= 100; line++) {
                appender.append("line " + line);
            }
            tailer.toEnd()
                    .drainBackward(
                            (segment, offset, length) -> {
                                byte[] bytes = segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
                                last.add(new String(bytes, StandardCharsets.UTF_8));
                            },
                            3);
            int forward = tailer.drain((segment, offset, length) -> {}, 100); // the same three, in their order
            System.out.println(last + ", and " + forward + " forward");
            if (!last.equals(List.of("line 100", "line 99", "line 98")) || forward != 3) {
                throw new IllegalStateException("read " + last + ", and " + forward + " forward");
            }
        }
    }
}
