package dev.larder.tests.crash;

/** A thread of a process that a test has started. An error in it ends the process, so that the test sees it. */
public final class ChildThread {

    /** The exit code of a process in which a thread has failed. */
    public static final int FAILED = 4;

    private ChildThread() {}

    /** Starts a thread. An error in it is printed, and ends the process with {@link #FAILED}. */
    public static Thread start(String name, Runnable work) {
        return Thread.ofPlatform().name(name).start(() -> {
            try {
                work.run();
            } catch (RuntimeException | Error e) {
                e.printStackTrace();
                Runtime.getRuntime().halt(FAILED);
            }
        });
    }
}
