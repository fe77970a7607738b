package dev.larder.lab.latency;

import dev.larder.cli.Figures;
import dev.larder.lab.machine.HiccupRecorder;
import dev.larder.lab.process.ChildLoop;
import java.io.IOException;
import java.util.function.BiConsumer;

/** The loop of a child process that takes times: it records hiccups, and tells its clock by {@code clock}. */
final class TimedLoop {

    private TimedLoop() {}

    /** Serves the parent's questions, with those that {@code commands} adds. */
    static void serve(BiConsumer<ChildLoop, HiccupRecorder> commands) throws IOException {
        ProcessorUse.start(); // loads what it needs
        try (HiccupRecorder recorder = new HiccupRecorder()) {
            ChildLoop loop = new ChildLoop().on("clock", question -> new Figures().put("nanos", System.nanoTime()));
            commands.accept(loop, recorder);
            loop.serve();
        }
    }
}
