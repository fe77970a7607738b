package dev.larder.lab.load;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.IntPredicate;

/**
 * A fixed number of threads that serve requests in the order of arrival. Requests of some kinds go to a separate thread, so
 * that they neither wait for the others nor delay them.
 */
final class Workers implements Incoming.Handler {

    private final Service service;
    private final IntPredicate isAside;
    private final ExecutorService threads;
    private final ExecutorService aside;

    Workers(Service service, int count, IntPredicate isAside) {
        this.service = service;
        this.isAside = isAside;
        threads = threads("worker-", count);
        aside = threads("aside-", 1);
    }

    /** Starts a thread when it is first needed. */
    private static ExecutorService threads(String name, int count) {
        return Executors.newFixedThreadPool(
                count, Thread.ofPlatform().daemon().name(name, 0).factory());
    }

    @Override
    public void take(Incoming request) {
        try {
            (isAside.test(request.kind) ? aside : threads).execute(() -> serve(request));
        } catch (RejectedExecutionException e) {
            request.answer(request.receivedNanos, Service.FAILED); // the target is closing
        }
    }

    private void serve(Incoming request) {
        long started = System.nanoTime();
        int status = Service.FAILED;
        try {
            status = service.serve(request.kind, request.argument, request.payload);
        } catch (RuntimeException | Error e) { // reported to the generator; a lack of memory is printed
            e.printStackTrace(System.err);
        }
        request.answer(started, status);
    }

    @Override
    public void close() {
        threads.shutdownNow();
        aside.shutdownNow();
    }
}
