package dev.larder.lab.latency;

import dev.larder.cli.Figures;
import dev.larder.lab.load.ArrivalKind;
import dev.larder.lab.load.Arrivals;
import dev.larder.lab.load.ConstantArrivals;
import dev.larder.lab.load.PoissonArrivals;
import dev.larder.lab.machine.HiccupRecorder;
import dev.larder.lab.machine.Machine;
import dev.larder.lab.result.LabException;
import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The child process that appends. Commands: {@code open} a queue, {@code clock}, {@code send}, {@code close}. */
final class WriterChild {

    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path MAPPINGS = Path.of("/proc/self/smaps_rollup");

    private final HiccupRecorder hiccups;
    private @Nullable LarderQueue queue;
    private @Nullable Appender appender;

    private WriterChild(HiccupRecorder hiccups) {
        this.hiccups = hiccups;
    }

    /** Serves the parent's questions. */
    public static void main(String[] arguments) throws IOException {
        TimedLoop.serve((loop, hiccups) -> {
            WriterChild child = new WriterChild(hiccups);
            loop.on("open", child::open).on("send", child::send).on("close", child::close);
        });
    }

    /** The appender comes first: it starts the queue's background, which would be bound as well. */
    private Figures open(Figures row) {
        LarderQueue opened = LarderQueue.open(Path.of(row.text("directory")), LatencyRow.options(row));
        queue = opened;
        appender = opened.appender();
        return Binding.of(row);
    }

    private Figures send(Figures plan) {
        if (appender == null) {
            throw new LabException("no queue was opened");
        }
        StampedMessage message = new StampedMessage((int) plan.whole("message_bytes"), plan.whole("seed"));
        return new Sender(appender, message)
                .send(arrivals(plan), plan.whole("warm_up"), plan.whole("count"))
                .put("locked_bytes", kibibytes(STATUS, "VmLck"))
                .put("huge_bytes", hugeBytes())
                .put("writer_hiccup_ms_max", hiccups.figures().number("hiccup_ms_max"));
    }

    private static Arrivals arrivals(Figures plan) {
        double rate = plan.number("rate_per_s");
        return plan.text("arrivals").equals(ArrivalKind.CONSTANT.toString())
                ? new ConstantArrivals(rate)
                : new PoissonArrivals(rate, plan.whole("seed"));
    }

    /** Of files that are mapped by large pages, wherever the files lie. */
    private static @Nullable Long hugeBytes() {
        Long file = kibibytes(MAPPINGS, "FilePmdMapped");
        Long shared = kibibytes(MAPPINGS, "ShmemPmdMapped");
        return file == null || shared == null ? null : Long.valueOf(file + shared);
    }

    private static @Nullable Long kibibytes(Path account, String name) {
        String value = Machine.colonValue(account, name);
        return value == null ? null : Long.parseLong(value.replace("kB", "").strip()) << 10;
    }

    private Figures close(Figures question) {
        if (queue != null) {
            queue.close();
        }
        return new Figures();
    }
}
