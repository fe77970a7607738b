package dev.larder.tests.crash;

import dev.larder.codec.ValueCodec;
import dev.larder.map.LarderMap;
import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import java.nio.file.Path;

/**
 * Makes the first call of its kind near the end of the stack, then less deep each time, until one has room: so the stack
 * overflows while the JVM links what the call needs. Then it makes the call with the whole stack. Arguments: directory, call.
 * Prints {@code OVERFLOWS n} and {@code WORKS}, or fails with the error of the call. It must be interpreted: a compiled method
 * needs less of the stack than when the room was measured.
 */
public final class DeepFirstCall {

    private static final long STACK_BYTES = 512 << 10;

    /** Frames by which each attempt is less deep; one call takes more of the stack than this. */
    private static final int STEP = 2;

    private DeepFirstCall() {}

    /** Runs the program. */
    public static void main(String[] arguments) throws InterruptedException {
        Runnable call = call(Path.of(arguments[0]), arguments[1]);
        int[] overflows = {0};
        Thread deep = new Thread(null, () -> overflows[0] = overflow(call), "deep", STACK_BYTES);
        deep.start();
        deep.join();
        System.out.println("OVERFLOWS " + overflows[0]);
        call.run();
        System.out.println("WORKS");
        System.out.flush();
        Runtime.getRuntime().halt(0); // another test covers how it closes
    }

    private static Runnable call(Path directory, String name) {
        if (name.equals("put") || name.equals("get")) {
            LarderMap<String, Long> map = LarderMap.open(directory, ValueCodec.texts(), ValueCodec.longs());
            return name.equals("put") ? () -> map.put("key", 1L) : () -> map.get("key");
        }
        LarderQueue queue = LarderQueue.open(directory);
        Appender appender = queue.appender();
        Tailer tailer = queue.tailer();
        return name.equals("append") ? () -> appender.append("text") : () -> tailer.poll((segment, at, length) -> {});
    }

    private static int overflow(Runnable call) {
        int most = room(0);
        int overflows = 0;
        for (int depth = most; depth > 0; depth -= STEP) {
            try {
                dive(depth, call);
                return overflows;
            } catch (StackOverflowError e) {
                overflows++;
            }
        }
        return overflows;
    }

    @SuppressWarnings("InfiniteRecursion") // the stack is to overflow
    private static int room(int depth) {
        try {
            return room(depth + 1);
        } catch (StackOverflowError e) {
            return depth;
        }
    }

    private static int dive(int depth, Runnable call) {
        if (depth == 0) {
            call.run();
            return 0;
        }
        return dive(depth - 1, call) + 1;
    }
}
