package dev.larder.memory;

import dev.larder.memory.region.RegionChild;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Another JVM with this module on its class path; killed at the end, if it is still there. */
public final class ChildJvm implements AutoCloseable {

    private static final String END = "(end of output)";

    private final Process process;
    private final BufferedReader lines;

    private ChildJvm(Process process) {
        this.process = process;
        this.lines = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Starts {@link StorageChild} with a storage, native or not. */
    static ChildJvm start(Storage storage, Object... arguments) {
        return start(command(storage, arguments));
    }

    /** Starts {@link RegionChild}, with native calls or without. */
    public static ChildJvm startRegions(boolean isNative, Object... arguments) {
        return start(command(RegionChild.class, isNative, arguments));
    }

    /** Starts {@link StorageChild} below a shell that has set a umask. */
    static ChildJvm startWithUmask(String umask, Storage storage, Object... arguments) {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "umask " + umask + "; exec \"$@\"", "sh"));
        command.addAll(command(storage, arguments));
        return start(command);
    }

    /** Starts {@link StorageChild} by a command that runs the rest of its line. */
    public static ChildJvm startUnder(List<String> prefix, Storage storage, Object... arguments) {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(command(storage, arguments));
        return start(command);
    }

    public static ChildJvm start(List<String> command) {
        try {
            return new ChildJvm(
                    new ProcessBuilder(command).redirectErrorStream(true).start());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the command for a JVM: flags first, then a main class and its arguments. */
    public static List<String> java(List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-XX:+UseSerialGC");
        command.add("-Xshare:auto");
        command.add("-XX:TieredStopAtLevel=1");
        command.addAll(arguments);
        return command;
    }

    /** Returns the root of the compiled classes of the module, or of its tests. */
    public static Path classes(Class<?> member) {
        String name = member.getName().replace('.', '/') + ".class";
        String found = String.valueOf(member.getResource("/" + name));
        String root = found.substring("file:".length(), found.length() - name.length());
        return Path.of(root);
    }

    /** Returns the next line that the child prints. */
    public String line() {
        try {
            return Objects.requireNonNullElse(lines.readLine(), END);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the next line that starts with {@code start}; lines that are logged before it are left out. */
    public String line(String start) {
        StringBuilder before = new StringBuilder();
        String line = line();
        while (!line.startsWith(start) && !line.equals(END)) {
            before.append(line).append('\n');
            line = line();
        }
        return line.equals(END) ? before + END : line;
    }

    /** Waits for the end; returns all that the child has printed since. */
    public String rest() throws InterruptedException {
        String rest = String.join("\n", lines.lines().toList());
        process.waitFor();
        return rest;
    }

    /** Kills the child as {@code kill -9} does. */
    public void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private static List<String> command(Storage storage, Object... arguments) {
        List<Object> all = new ArrayList<>();
        all.add(storage.isNative() ? "native" : "portable");
        all.addAll(List.of(arguments));
        return command(StorageChild.class, storage.isNative(), all.toArray());
    }

    private static List<String> command(Class<?> main, boolean isNative, Object... arguments) {
        List<String> java = new ArrayList<>();
        java.add("--illegal-native-access=deny");
        if (isNative) {
            java.add("--enable-native-access=ALL-UNNAMED");
        }
        java.add("-cp");
        java.add(classes(Storage.class) + System.getProperty("path.separator") + classes(main));
        java.add(main.getName());
        for (Object argument : arguments) {
            java.add(argument.toString());
        }
        assert Files.isDirectory(classes(Storage.class));
        return java(java);
    }
}
