package dev.larder.memory;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What the machine that runs the tests has. */
final class TestMachine {

    private TestMachine() {}

    static boolean hasNativeCalls() {
        return SystemStorage.isLinux() && Storage.class.getModule().isNativeAccessEnabled();
    }

    /** Returns the storages of this machine, whatever the default is. */
    static Stream<Storage> storages() {
        return hasNativeCalls()
                ? Stream.of(LinuxStorage.INSTANCE, PortableStorage.INSTANCE)
                : Stream.of(PortableStorage.INSTANCE);
    }

    /** Runs a command; returns whether it succeeded. */
    static boolean run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return process.waitFor(30, TimeUnit.SECONDS) && process.exitValue() == 0;
    }
}
