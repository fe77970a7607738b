package dev.larder.lab.load;

import dev.larder.cli.Figures;
import dev.larder.lab.machine.HiccupRecorder;
import dev.larder.lab.machine.ProcessMemory;
import dev.larder.lab.machine.ProcessMeter;
import dev.larder.lab.process.ChildLoop;
import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The conductor's side of a target process: {@code begin} starts to meter a load, {@code end} answers with the process's
 * resource use and pauses since then.
 */
public final class TargetLoop {

    private final HiccupRecorder hiccups = new HiccupRecorder();
    private final ChildLoop loop = new ChildLoop().on("begin", this::begin).on("end", this::end);
    private @Nullable Metered metered;

    private record Metered(ProcessMeter meter, PauseRecorder pauses, long allocatedBytes, long startNanos) {}

    /** A loop to which the target adds its own commands. */
    public TargetLoop() {}

    /** Returns the loop itself. */
    public ChildLoop commands() {
        return loop;
    }

    private Figures begin(Figures arguments) {
        endMetering(); // of a load that was given up
        metered = new Metered(
                ProcessMeter.start(), new PauseRecorder(), ProcessMeter.allocatedByAllBytes(), System.nanoTime());
        return new Figures();
    }

    private void endMetering() {
        Metered before = metered;
        metered = null;
        if (before != null) {
            before.pauses().close();
        }
    }

    private Figures end(Figures arguments) {
        Metered before = metered;
        metered = null;
        if (before == null) {
            throw new LabException("no load has begun");
        }
        Figures used = before.meter()
                .figures()
                .put("allocated_bytes", ProcessMeter.allocatedByAllBytes() - before.allocatedBytes());
        try (PauseRecorder recorder = before.pauses()) {
            List<Figures> pauses = recorder.stop();
            return used.putAll(ProcessMeter.memory())
                    .putAll(ProcessMemory.figures())
                    .put("longest_pause_ms", PauseRecorder.longestMillis(pauses, "pause"))
                    .put("longest_safepoint_ms", PauseRecorder.longestMillis(pauses, "safepoint"))
                    .put("longest_stall_ms", PauseRecorder.longestMillis(pauses, "stall"))
                    .put("pauses", pauses)
                    .put("hiccups", hiccups.since(before.startNanos()));
        }
    }

    /** Serves until the conductor ends. */
    public void serve() throws IOException {
        try (hiccups) {
            loop.serve();
        } finally {
            endMetering();
        }
    }
}
