package dev.larder.tests.processes;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import dev.larder.codec.Codec;
import dev.larder.codec.ViewCodec;
import dev.larder.log.LogOptions;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.Storage;
import dev.larder.memory.SystemStorage;
import dev.larder.queue.Appender;
import dev.larder.queue.Batch;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.MessageHandler;
import dev.larder.queue.MethodReader;
import dev.larder.queue.Tailer;
import dev.larder.queue.TypedAppender;
import dev.larder.queue.TypedTailer;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import java.util.stream.Stream;

/**
 * Another process that has a queue open: {@code <storage> <task> <directory> [count]}. It prints {@code READY} when the queue
 * is open, and later its result.
 */
public final class Neighbour {

    private static final Duration LONG = Duration.ofSeconds(60);
    private static final int WARM_UP = 200_000;
    private static final int IDLE_WARM_UP = 5_000;
    private static final int MEASURED = 500_000;

    private final LogOptions options;
    private final String[] arguments;
    private final Map<Path, Long> threadNanos = new HashMap<>();

    private Neighbour(String[] arguments) {
        Storage files = arguments[0].equals("portable") ? SystemStorage.portable() : SystemStorage.system();
        this.options = HookedOptions.withStorage(LogOptions.defaults(), files);
        this.arguments = arguments;
    }

    /** Runs one task. */
    public static void main(String[] args) throws IOException, InterruptedException {
        Neighbour neighbour = new Neighbour(args);
        switch (args[1]) {
            case "append" -> neighbour.append();
            case "echo" -> neighbour.echo();
            case "hold" -> neighbour.hold();
            case "idle" -> neighbour.idle();
            case "read" -> neighbour.read(neighbour.options.withReadOnly(true));
            case "allocate" -> neighbour.allocate();
            default -> throw new IllegalArgumentException(args[1]);
        }
    }

    private Path directory() {
        return Path.of(arguments[2]);
    }

    private int count() {
        return Integer.parseInt(arguments[3]);
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private static String text(MemorySegment segment, long offset, int length) {
        byte[] bytes = segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Appends this many messages, each with the number of this process and its own. */
    private void append() {
        try (LarderQueue queue = LarderQueue.open(directory(), options);
                Appender appender = queue.appender()) {
            say("READY");
            for (int i = 0; i < count(); i++) {
                appender.append(ProcessHandle.current().pid() + " " + i);
            }
        }
        say("DONE");
    }

    /** Sends each message back, in another queue beside this one. */
    private void echo() throws InterruptedException {
        try (LarderQueue requests = LarderQueue.open(directory().resolve("requests"), options);
                LarderQueue answers = LarderQueue.open(directory().resolve("answers"), options);
                Appender appender = answers.appender();
                Tailer tailer = requests.tailer()) {
            say("READY");
            MessageHandler answer =
                    (segment, offset, length) -> appender.append("re: " + text(segment, offset, length));
            for (int i = 0; i < count() && tailer.poll(answer, LONG); i++) {
                assert appender != null;
            }
        }
        say("DONE");
    }

    private void hold() throws IOException {
        try (LarderQueue queue = LarderQueue.open(directory(), options)) {
            say("READY");
            int end = System.in.read();
            say("DONE " + end + " " + queue.info().segments());
        }
    }

    /** Prints the share of a core, in percent, that waiting for messages takes, and that sleeping for the same time takes. */
    private void idle() throws IOException, InterruptedException {
        Duration time = Duration.ofSeconds(count());
        try (LarderQueue queue = LarderQueue.open(directory(), options);
                Tailer tailer = queue.tailer()) {
            MessageHandler nothing = (segment, offset, length) -> {};
            for (int i = 0; i < IDLE_WARM_UP; i++) {
                tailer.poll(nothing, Duration.ofNanos(50_000)); // lets the compiler finish its work first
            }
            long start = processorNanos();
            Thread.sleep(time);
            long asleep = processorNanos();
            boolean found = tailer.poll(nothing, time);
            double each = time.toNanos() / 100.0;
            double waiting = (processorNanos() - asleep) / each;
            say(String.format(Locale.ROOT, "CPU %.3f %s %.3f", waiting, found, (asleep - start) / each));
        }
    }

    /** Returns the processor time of all threads, in nanoseconds where the kernel counts them. */
    private long processorNanos() throws IOException {
        if (!Files.exists(Path.of("/proc/self/schedstat"))) {
            return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class)
                    .getProcessCpuTime();
        }
        try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
            for (Path task : tasks.toList()) {
                look(task);
            }
        }
        return threadNanos.values().stream().mapToLong(nanos -> nanos).sum();
    }

    /** Reads a thread's time. For a thread that has ended, such as a compiler thread, the last value that was read counts. */
    private void look(Path task) throws IOException {
        try {
            String statistics = Files.readString(task.resolve("schedstat"));
            threadNanos.put(task, Long.parseLong(statistics.split(" ", 2)[0]));
        } catch (IOException e) {
            if (Files.exists(task)) {
                throw e;
            }
        }
    }

    private void read(LogOptions reading) throws InterruptedException {
        try (LarderQueue queue = LarderQueue.open(directory(), reading);
                Tailer tailer = queue.tailer()) {
            say("READY");
            for (int i = 0; i < count(); i++) {
                tailer.poll((segment, offset, length) -> say(text(segment, offset, length)), LONG);
            }
        }
    }

    /** Prints how many bytes of heap each way of appending and reading takes per message. */
    private void allocate() {
        byte[] bytes = new byte[100];
        try (LarderQueue queue = LarderQueue.open(directory(), options);
                Appender appender = queue.appender();
                Batch batch = appender.batch();
                Tailer tailer = queue.tailer();
                Arena arena = Arena.ofConfined()) {
            MemorySegment outside = arena.allocate(100);
            measure("bytes", i -> appender.append(bytes));
            measure("segment", i -> appender.append(outside, 0, 100));
            measure(
                    "in-place",
                    i -> appender.append(
                            100,
                            (segment, offset, length) -> segment.set(ValueLayout.JAVA_BYTE, offset, (byte) length)));
            measure("text", i -> appender.append("a text of some length"));
            measure("batch", i -> {
                batch.add(bytes);
                return i;
            });
            long[] sum = new long[1];
            MessageHandler handler = (segment, offset, length) -> sum[0] += segment.get(ValueLayout.JAVA_BYTE, offset);
            measure("poll", i -> tailer.poll(handler) ? 1 : 0);
            measure("drain", i -> tailer.drain(handler, 2));
            allocateTyped(queue);
            measure("sequence", i -> tailer.sequence());
            measure("backward", i -> tailer.drainBackward(handler, 2));
            try (Tailer named = queue.tailer("named")) {
                measure("named", i -> named.poll(handler) ? 1 : 0);
            }
        }
        say("DONE");
    }

    /** A message of a fixed layout. */
    interface Tick {
        int symbol();

        Tick symbol(int value);

        double price();

        Tick price(double value);
    }

    /** A call with primitive arguments. */
    @FunctionalInterface
    interface Ticks {
        void tick(int symbol, double price, boolean last);
    }

    private static void allocateTyped(LarderQueue queue) {
        double[] sum = new double[1];
        ViewCodec<Tick> views = Codec.views(Tick.class, MethodHandles.lookup());
        Ticks calls = queue.methodWriter(Ticks.class, MethodHandles.lookup());
        Ticks called = (symbol, price, last) -> sum[0] += symbol + price + (last ? 1 : 0);
        try (TypedAppender<Tick> ticks = queue.appender(views);
                TypedTailer<Tick> seen = queue.tailer(views).toEnd();
                MethodReader reader = queue.methodReader(queue.tailer(), Ticks.class, called, MethodHandles.lookup())) {
            Tick tick = views.create();
            Consumer<Tick> consumer = view -> sum[0] += view.symbol() + view.price();
            measure("view-append", i -> ticks.append(tick.symbol((int) i).price(0.5 * i)));
            measure("view-poll", i -> seen.poll(consumer) ? 1 : 0);
            reader.tailer().toEnd();
            measure("call", i -> {
                calls.tick((int) i, 0.5, true);
                return i;
            });
            measure("called", i -> reader.poll() ? 1 : 0);
        }
    }

    private static void measure(String what, LongUnaryOperator message) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().threadId();
        long sink = 0;
        for (int i = 0; i < WARM_UP; i++) {
            sink += message.applyAsLong(7) == -2 ? 1 : 0;
        }
        long before = threads.getThreadAllocatedBytes(self);
        for (int i = 0; i < MEASURED; i++) {
            sink += message.applyAsLong(7) == -2 ? 1 : 0;
        }
        double each = (threads.getThreadAllocatedBytes(self) - before) / (double) MEASURED;
        say(String.format(Locale.ROOT, "%s %.4f %d", what, each, sink));
    }
}
