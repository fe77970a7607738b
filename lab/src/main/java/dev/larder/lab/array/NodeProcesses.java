package dev.larder.lab.array;

import dev.larder.cli.Figures;
import dev.larder.lab.machine.ProcessUse;
import dev.larder.lab.result.Attempt;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * The processes of the running nodes. A killed node's usage still counts, so that the sum only grows.
 *
 * <p>Thread-safe: a node is killed during a metered load.
 */
final class NodeProcesses {

    private final Map<Integer, Process> running = new TreeMap<>();
    private double endedCpuMillis;

    synchronized void add(int node, Process process) {
        running.put(node, process);
    }

    /** Kills a node and waits for its end; does nothing if it does not run. */
    synchronized void kill(int node) {
        Process process = running.get(node);
        if (process != null) {
            endedCpuMillis += ProcessUse.of(List.of(process.pid())).number("cpu_ms");
            running.remove(node);
            await(process.destroyForcibly());
        }
    }

    synchronized void killAll() {
        List.copyOf(running.keySet()).forEach(this::kill);
    }

    synchronized void forEach(BiConsumer<Integer, Process> action) {
        running.forEach(action);
    }

    synchronized List<Long> pids() {
        return running.values().stream().map(Process::pid).toList();
    }

    /** Returns their use so far, as {@link ProcessUse#of}. */
    synchronized Figures used() {
        Figures now = ProcessUse.of(pids());
        return now.put("cpu_ms", endedCpuMillis + now.number("cpu_ms"));
    }

    static int await(Process process) {
        return Attempt.giving("wait for a node to end", process::waitFor);
    }
}
