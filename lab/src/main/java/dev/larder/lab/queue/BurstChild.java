package dev.larder.lab.queue;

import dev.larder.cli.Figures;
import dev.larder.lab.machine.HiccupRecorder;
import dev.larder.lab.machine.ProcessMeter;
import dev.larder.lab.process.ChildLoop;
import dev.larder.lab.result.LabException;
import dev.larder.lab.result.Require;
import dev.larder.lab.run.Records;
import dev.larder.memory.MemoryPlacement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The child process that runs and times bursts against a store. A rival's child differs only in the store.
 *
 * <p>Commands: {@code configure}, {@code create} a store in a directory, {@code burst}, {@code close} the store. After
 * {@code create} and {@code burst} it waits as configured, so that the store finishes its preparations before other
 * processes are measured.
 */
public final class BurstChild {

    private final Function<Figures, BurstSubject> subjects;
    private Figures configuration = new Figures();
    private @Nullable Records messages;
    private @Nullable BurstSubject subject;
    private double waitedCpuMillis = Double.NaN;

    private BurstChild(Function<Figures, BurstSubject> subjects) {
        this.subjects = subjects;
    }

    /** Runs bursts against a Larder queue. */
    public static void main(String[] arguments) throws IOException {
        serve(LarderBurstSubject::new);
    }

    /** Serves the parent's questions; {@code subjects} makes a store from a configuration. */
    public static void serve(Function<Figures, BurstSubject> subjects) throws IOException {
        BurstChild child = new BurstChild(subjects);
        try (HiccupRecorder recorder = new HiccupRecorder()) {
            new ChildLoop()
                    .on("configure", child::configure)
                    .on("create", child::create)
                    .on("burst", child::burst)
                    .on("close", child::close)
                    .on("hiccups", arguments -> recorder.figures())
                    .serve();
        }
    }

    private Figures configure(Figures arguments) {
        configuration = arguments;
        place(arguments);
        messages = messages(arguments);
        return new Figures();
    }

    /** Returns the messages of a configuration. */
    static Records messages(Figures configuration) {
        int bytes = (int) configuration.whole("message_bytes");
        Long pattern = configuration.wholeOrNull("pattern_bytes");
        return new Records(bytes, pattern == null ? bytes : pattern.intValue(), configuration.whole("seed"), 0);
    }

    /** Permanent, and set before the store: its threads inherit it. */
    private static void place(Figures arguments) {
        if (arguments.get("placement") instanceof String kind) {
            MemoryPlacement.of(
                            NumaPlacement.valueOf(kind.toUpperCase(Locale.ROOT)).kind())
                    .refusal()
                    .ifPresent(why -> {
                        throw new LabException("--numa: " + why);
                    });
        }
    }

    private Figures create(Figures arguments) {
        BurstSubject created = subjects.apply(configuration);
        created.create(Path.of(arguments.text("directory")));
        subject = created;
        idle();
        return new Figures();
    }

    private Figures close(Figures arguments) {
        store().close();
        subject = null;
        return new Figures();
    }

    private BurstSubject store() {
        return Require.present(subject, "no store was created");
    }

    /** One burst: begin, prepare, write, sync, read, read by copying, verify, wait. */
    private Figures burst(Figures arguments) {
        int index = (int) arguments.whole("index");
        long count = arguments.whole("count");
        Figures result = new Figures();
        store().begin(index);
        prepare(arguments, count, result);
        long expected = messages == null ? 0 : messages.in(index).sumOf(count);
        ProcessMeter meter = ProcessMeter.start();
        time("write_ms", result, () -> store().write(index, count));
        time("sync_ms", result, () -> store().sync());
        long sum = read("read_ms", result, () -> store().read(count));
        result.put("allocated_bytes", meter.allocatedBytes()).putAll(meter.figures());
        long copied = readCopied(count, result, expected);
        store().verify(index, count);
        result.put("sum_matches", sum == expected && copied == expected)
                .putAll(ProcessMeter.memory())
                .put("file_bytes", store().fileBytes())
                .putAll(store().counted());
        idle();
        return result;
    }

    /** Waits, and counts the processor time that the store uses meanwhile for the next burst. */
    private void idle() {
        long waitMillis = configuration.whole("wait_ms");
        if (waitMillis > 0) {
            ProcessMeter meter = ProcessMeter.start();
            try {
                Thread.sleep(waitMillis);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            waitedCpuMillis = meter.cpuMillis();
        }
    }

    private void prepare(Figures arguments, long count, Figures result) {
        result.put("prepare_ms", null).put("prepare_cpu_ms", waitedCpuMillis);
        if (arguments.flag("prepare")) {
            ProcessMeter meter = ProcessMeter.start();
            time("prepare_ms", result, () -> store().prepare(count));
            result.put("prepare_cpu_ms", meter.cpuMillis());
        }
    }

    /** Only beside a rival: under a memory limit, a third read would measure something else. */
    private long readCopied(long count, Figures result, long expected) {
        result.put("read_copied_ms", null);
        return configuration.flag("read_copied")
                ? read("read_copied_ms", result, () -> store().readCopied(count))
                : expected;
    }

    private static long read(String name, Figures result, LongSupplier reading) {
        long start = System.nanoTime();
        long sum = reading.getAsLong();
        result.put(name, (System.nanoTime() - start) / 1e6);
        return sum;
    }

    private static void time(String name, Figures result, Runnable work) {
        long start = System.nanoTime();
        work.run();
        result.put(name, (System.nanoTime() - start) / 1e6);
    }
}
