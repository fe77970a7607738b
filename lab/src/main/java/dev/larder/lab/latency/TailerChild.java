package dev.larder.lab.latency;

import dev.larder.cli.Figures;
import dev.larder.lab.machine.HiccupRecorder;
import dev.larder.lab.result.LabException;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The child process that reads. Commands: {@code open} a queue, {@code clock}, {@code receive}, {@code close}. */
final class TailerChild {

    /** After so long without a message none is waited for any more. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final HiccupRecorder hiccups;
    private @Nullable LarderQueue queue;
    private @Nullable Tailer tailer;

    private TailerChild(HiccupRecorder hiccups) {
        this.hiccups = hiccups;
    }

    /** Serves the parent's questions. */
    public static void main(String[] arguments) throws IOException {
        TimedLoop.serve((loop, hiccups) -> {
            TailerChild child = new TailerChild(hiccups);
            loop.on("open", child::open).on("receive", child::receive).on("close", child::close);
        });
    }

    private Figures open(Figures row) {
        LarderQueue opened = LarderQueue.open(Path.of(row.text("directory")));
        queue = opened;
        tailer = opened.tailer(LatencyRow.strategy(row));
        return Binding.of(row);
    }

    private Figures receive(Figures plan) {
        if (tailer == null) {
            throw new LabException("no queue was opened");
        }
        Arrived arrived = new Arrived(plan.whole("warm_up"));
        receiveAll(tailer, arrived);
        return arrived.figures().put("tailer_hiccup_ms_max", hiccups.figures().number("hiccup_ms_max"));
    }

    private static void receiveAll(Tailer from, Arrived arrived) {
        try {
            boolean more = true;
            while (more && !arrived.isComplete()) {
                more = from.poll(arrived, PATIENCE);
            }
        } catch (InterruptedException e) {
            throw new LabException("interrupted while it waited for a message", e);
        }
    }

    private Figures close(Figures question) {
        if (queue != null) {
            queue.close();
        }
        return new Figures();
    }
}
