package dev.larder.server.stream;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.function.LongFunction;

/**
 * Empty streams with the next numbers, which are made in the background. It is like {@link PreparedStreams}, but for stores
 * where each number must come in its turn.
 */
final class NumberedStreams {

    private static final int COUNT = 4;

    private final LongFunction<Stream> maker;
    private final Executor background;
    private final Map<Long, FutureTask<Stream>> ahead = new ConcurrentHashMap<>();

    NumberedStreams(LongFunction<Stream> maker, Executor background) {
        this.maker = maker;
        this.background = background;
    }

    /** Returns the stream of a number: made already, or made now by this thread, or awaited while the background makes it. */
    Stream next(long number) {
        FutureTask<Stream> task = ahead.remove(number);
        FutureTask<Stream> made = task == null ? task(number) : task;
        made.run(); // no more than once
        for (long later = number + 1; later <= number + COUNT; later++) {
            prepare(later);
        }
        return result(made);
    }

    private FutureTask<Stream> task(long number) {
        return new FutureTask<>(() -> maker.apply(number));
    }

    private void prepare(long number) {
        FutureTask<Stream> task = task(number);
        if (ahead.putIfAbsent(number, task) == null) {
            background.execute(task);
        }
    }

    private static Stream result(FutureTask<Stream> task) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return task.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case RuntimeException met -> throw met;
                case Error met -> throw met;
                case null, default -> throw new IllegalStateException(e);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
