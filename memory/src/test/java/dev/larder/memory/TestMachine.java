package dev.larder.memory;

import dev.larder.memory.linux.LinuxStorage;
import dev.larder.memory.portable.PortableStorage;
import dev.larder.tests.support.SystemPrograms;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The features of the machine that runs the tests. */
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

    /** Runs a command; returns whether it exists and succeeded. The path of a plain user may lack its folder. */
    public static boolean run(String... command) throws IOException, InterruptedException {
        if (!SystemPrograms.exist(command[0])) {
            return false;
        }
        Process process = new ProcessBuilder(SystemPrograms.located(List.of(command)))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
    }
}
