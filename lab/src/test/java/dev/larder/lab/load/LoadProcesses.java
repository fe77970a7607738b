package dev.larder.lab.load;

import dev.larder.cli.Figures;
import dev.larder.lab.process.ChildProcess;
import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.process.MemoryLimit;
import java.nio.file.Path;

/** A generator and a target of known behaviour, each a process, and their conductor. */
final class LoadProcesses implements AutoCloseable {

    private static final long HEAP_BYTES = 64L << 20;

    final ChildProcess generator;
    final ChildProcess target;
    final Conductor conductor;

    LoadProcesses(Path directory, Figures behaviour) {
        generator = start("generator", HEAP_BYTES, GeneratorLoop.class, directory);
        target = start("target", HEAP_BYTES, KnownTarget.class, directory);
        conductor = Conductor.of(generator, target, behaviour, directory);
    }

    static ChildProcess start(String name, long heapBytes, Class<?> main, Path logs) {
        return ChildProcess.start(name, JavaProcess.command(heapBytes, main), MemoryLimit.none(), logs);
    }

    static Figures keys() {
        return KeyWorkload.figures(1000, 10);
    }

    @Override
    public void close() {
        generator.close();
        target.close();
    }
}
