package dev.larder.tests.crash;

import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * Runs a program of a test, and ends with the process that has started it: a build that is stopped leaves nobody behind who
 * goes on reading and writing.
 */
public final class ChildProgram {

    private static final int ALONE = 99;

    private ChildProgram() {}

    /** The name of the program's class; then its arguments. */
    public static void main(String[] arguments) throws Throwable {
        ProcessHandle.current().parent().ifPresent(ChildProgram::endWith);
        String[] own = Arrays.copyOfRange(arguments, 1, arguments.length);
        try {
            Class.forName(arguments[0]).getMethod("main", String[].class).invoke(null, (Object) own);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static void endWith(ProcessHandle parent) {
        Thread.ofPlatform().daemon().start(() -> {
            parent.onExit().join();
            Runtime.getRuntime().halt(ALONE);
        });
    }
}
