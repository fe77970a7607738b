package dev.larder.lab.load;

import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

/** Requests that are answered at moments to come, by a thread of their own. */
final class Postponed {

    private record Due(long nanos, Incoming request) implements Delayed {

        @Override
        public long getDelay(TimeUnit unit) {
            return unit.convert(nanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        }

        @Override
        public int compareTo(Delayed other) {
            return other instanceof Due due ? Long.compare(nanos, due.nanos) : 0;
        }
    }

    private final DelayQueue<Due> queue = new DelayQueue<>();

    Postponed() {
        Thread.ofPlatform().daemon().name("postponed").start(this::run);
    }

    void add(long nanos, Incoming request) {
        queue.add(new Due(nanos, request));
    }

    private void run() {
        Pacer.sharpenTimer();
        try {
            while (true) {
                Due due = queue.take();
                due.request().answer(due.nanos(), Service.SERVED);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
