package dev.larder.lab.load;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/** A fixed number of threads that serve requests in the order in which they came. */
final class Workers implements Incoming.Handler {

    private final Service service;
    private final ExecutorService threads;

    Workers(Service service, int count) {
        this.service = service;
        this.threads = Executors.newFixedThreadPool(
                count, Thread.ofPlatform().daemon().name("worker-", 0).factory());
    }

    @Override
    public void take(Incoming request) {
        try {
            threads.execute(() -> serve(request));
        } catch (RejectedExecutionException e) {
            request.answer(request.receivedNanos, Service.FAILED); // the target is closing
        }
    }

    private void serve(Incoming request) {
        long started = System.nanoTime();
        int status = Service.FAILED;
        try {
            status = service.serve(request.kind, request.argument, request.payload);
        } catch (RuntimeException | Error e) { // the generator is told; a target that lacks memory says so
            e.printStackTrace(System.err);
        }
        request.answer(started, status);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
