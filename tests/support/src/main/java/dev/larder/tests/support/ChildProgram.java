package dev.larder.tests.support;

import java.io.FileInputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs a program of a test, and ends with the process that has started it: a build that is stopped leaves no process behind
 * that continues to read and write.
 */
public final class ChildProgram {

    private static final int ALONE = 99;
    private static final int ATTEMPTS = 30;
    private static final long PAUSE_NANOS = 100_000_000;

    private ChildProgram() {}

    /** Runs a class; the first argument is its name, the others are its own arguments. */
    public static void main(String[] arguments) throws Throwable {
        ProcessHandle.current().parent().ifPresent(ChildProgram::endWith);
        String[] own = Arrays.copyOfRange(arguments, 1, arguments.length);
        try {
            Method main = Class.forName(arguments[0]).getMethod("main", String[].class);
            main.setAccessible(true); // its class may be private to a test
            main.invoke(null, (Object) own);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static void endWith(ProcessHandle parent) {
        Thread.ofPlatform().daemon().start(() -> {
            do {
                parent.onExit().join();
            } while (isThere(parent));
            Runtime.getRuntime().halt(ALONE);
        });
    }

    /**
     * Checks for some seconds whether the parent is alive. A test may take all descriptors of this process. The system then
     * reports no parent, so that answer does not count.
     */
    private static boolean isThere(ProcessHandle parent) {
        boolean there = false;
        for (int i = 0; i < ATTEMPTS && !there; i++) {
            LockSupport.parkNanos(PAUSE_NANOS);
            there = parent.isAlive() || !hasDescriptor();
        }
        return there;
    }

    private static boolean hasDescriptor() {
        try (FileInputStream any = new FileInputStream(System.getProperty("java.home") + "/release")) {
            return any.read() >= 0;
        } catch (IOException e) {
            return false;
        }
    }
}
