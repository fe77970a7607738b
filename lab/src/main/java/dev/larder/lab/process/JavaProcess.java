package dev.larder.lab.process;

import dev.larder.cli.Figures;
import dev.larder.memory.LarderException;
import java.io.File;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The parts of this JVM that a child of the same kind needs: executable, modules or class path, flags. */
public final class JavaProcess {

    private static final List<String> NOT_INHERITED = List.of(
            "-Xm", "-Xlog", "-XX:MaxRAM", "-XX:InitialRAM", "-XX:MaxHeap", "-javaagent", "-agentlib", "-agentpath");

    /** What a JVM says of itself goes to the standard error: children answer on the standard output. */
    private static final List<String> SAYS_ON_ERROR =
            List.of("-XX:+DisplayVMOutputToStderr", "-Xlog:all=off:stdout", "-Xlog:all=warning:stderr");

    private static final Pattern COLLECTOR = Pattern.compile("-XX:[+-]Use\\w+GC");

    private JavaProcess() {}

    /** Returns the facts of this JVM for a result. */
    public static Figures facts() {
        RuntimeMXBean runtime = ManagementFactory.getRuntimeMXBean();
        return new Figures()
                .put("version", Runtime.version())
                .put("vendor", System.getProperty("java.vendor"))
                .put("vm", runtime.getVmName())
                .put(
                        "collectors",
                        ManagementFactory.getGarbageCollectorMXBeans().stream()
                                .map(GarbageCollectorMXBean::getName)
                                .toList())
                .put("heap_max_bytes", Runtime.getRuntime().maxMemory())
                .put("flags", flags(runtime.getInputArguments()))
                .put("native_access", LarderException.class.getModule().isNativeAccessEnabled());
    }

    /** Leaves out arguments with paths, which depend on the machine. */
    private static List<String> flags(List<String> arguments) {
        return arguments.stream()
                .filter(argument -> !argument.contains(File.separator))
                .filter(argument -> !SAYS_ON_ERROR.contains(argument))
                .toList();
    }

    /** Returns a command that starts a class of the lab in a JVM like this one, with another heap. */
    public static List<String> command(long heapBytes, Class<?> main) {
        return command(heapBytes, main, List.of());
    }

    /** Returns such a command with more flags; a flag for a collector replaces this JVM's own choice. */
    public static List<String> command(long heapBytes, Class<?> main, List<String> flags) {
        boolean chooses = flags.stream().anyMatch(JavaProcess::choosesCollector);
        List<String> command = start(heapBytes);
        inheritedFlags().stream()
                .filter(flag -> !chooses || !choosesCollector(flag))
                .forEach(command::add);
        command.addAll(flags);
        String modulePath = System.getProperty("jdk.module.path");
        if (main.getModule().isNamed() && modulePath != null) {
            command.addAll(List.of("-p", modulePath, "-m", main.getModule().getName() + "/" + main.getName()));
        } else {
            command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        }
        return command;
    }

    /** Returns the start of a command: the same java, with a heap of exactly so many bytes, and a silent standard output. */
    public static List<String> start(long heapBytes) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String heap = (heapBytes >> 10) + "k";
        List<String> command = new ArrayList<>(List.of(java, "-Xms" + heap, "-Xmx" + heap));
        command.addAll(SAYS_ON_ERROR);
        return command;
    }

    /** Returns whether a flag chooses a collector. */
    public static boolean choosesCollector(String flag) {
        return COLLECTOR.matcher(flag).matches();
    }

    private static List<String> inheritedFlags() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(flag -> NOT_INHERITED.stream().noneMatch(flag::startsWith))
                .filter(flag -> !flag.startsWith("-Djdk.module.") && !flag.startsWith("--module-path"))
                .toList();
    }
}
