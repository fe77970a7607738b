package dev.larder.lab.load;

import dev.larder.cli.Figures;
import dev.larder.lab.process.ChildProcess;
import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.process.MemoryLimit;
import java.nio.file.Path;
import java.util.Optional;

/** A generator and a target of known behaviour, each a process, and who conducts them. */
final class LoadProcesses implements AutoCloseable {

    private static final long HEAP_BYTES = 64L << 20;

    final ChildProcess generator;
    final ChildProcess target;
    final Conductor conductor;
    final Figures driver;

    LoadProcesses(Path directory, Figures behaviour) {
        generator = start("generator", HEAP_BYTES, GeneratorChild.class, directory);
        target = start("target", HEAP_BYTES, KnownTarget.class, directory);
        Figures started = target.ask("start", behaviour);
        driver = new Figures()
                .put("name", "socket")
                .put("host", "127.0.0.1")
                .put("port", started.whole("port"))
                .put("connections", 2);
        conductor = new Conductor(generator, Optional.of(target), directory);
    }

    static ChildProcess start(String name, long heapBytes, Class<?> main, Path logs) {
        return ChildProcess.start(name, JavaProcess.command(heapBytes, main), MemoryLimit.none(), logs);
    }

    static Figures keys() {
        return new Figures().put("workload", "keys").put("keys", 1000).put("writes_percent", 10);
    }

    @Override
    public void close() {
        generator.close();
        target.close();
    }
}
