package dev.larder.log.layer;

import java.util.function.Predicate;

/**
 * Finds what a thread is inside of, by its stack.
 *
 * <pre>
 * top      codec, codec, codec ..      the JVM returns 1024 frames by default
 *          ---------------------- cut
 *          the map                     not among them
 * bottom   run, main                   by this frame the stack is known to be whole
 * </pre>
 */
public final class ThreadStack {

    private ThreadStack() {}

    /**
     * Returns whether a thread may be inside a method of certain classes. It is not if its stack is whole and has no such
     * method, or if its stack is empty. Where the stack is deeper than the JVM returns, this cannot be known, and the result
     * is true.
     *
     * @param classes tests the names of classes, from the top of the stack on
     */
    public static boolean mayBeInside(Thread thread, Predicate<String> classes) {
        StackTraceElement[] frames = thread.getStackTrace();
        for (StackTraceElement frame : frames) {
            if (classes.test(frame.getClassName())) {
                return true;
            }
        }
        return frames.length > 0 && !isBottom(thread, frames[frames.length - 1]);
    }

    /** Returns whether a frame is the lowest of a stack: the thread's own {@code run}, or a program's main. */
    private static boolean isBottom(Thread thread, StackTraceElement frame) {
        return frame.getMethodName().equals("main")
                || (frame.getMethodName().equals("run") && isClassOf(thread, frame.getClassName()));
    }

    private static boolean isClassOf(Thread thread, String name) {
        Class<?> type = thread.getClass();
        while (type != null && !type.getName().equals(name)) {
            type = type.getSuperclass();
        }
        return type != null;
    }
}
