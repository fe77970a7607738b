package dev.larder.memory;

import dev.larder.memory.linux.LinuxStorage;
import dev.larder.memory.portable.PortableStorage;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What the machine that runs the tests has. */
public final class TestMachine {

    private TestMachine() {}

    public static boolean hasNativeCalls() {
        return SystemStorage.isLinux() && Storage.class.getModule().isNativeAccessEnabled();
    }

    /** Returns the storages of this machine, whatever the default is. */
    public static Stream<Storage> storages() {
        return hasNativeCalls()
                ? Stream.of(LinuxStorage.INSTANCE, PortableStorage.INSTANCE)
                : Stream.of(PortableStorage.INSTANCE);
    }

    /** Runs a command; returns whether it is there and succeeded. Its place may be missing in the path of a plain user. */
    public static boolean run(String... command) throws IOException, InterruptedException {
        Optional<Path> program = Stream.concat(
                        Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator)),
                        Stream.of("/usr/sbin", "/sbin"))
                .map(place -> Path.of(place, command[0]))
                .filter(Files::isExecutable)
                .findFirst();
        if (program.isEmpty()) {
            return false;
        }
        List<String> found = new ArrayList<>(List.of(command));
        found.set(0, program.get().toString());
        Process process = new ProcessBuilder(found)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
    }
}
