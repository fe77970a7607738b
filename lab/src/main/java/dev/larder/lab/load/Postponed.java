package dev.larder.lab.load;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Requests that are answered at moments to come, by a thread of their own. */
final class Postponed {

    private record Due(long nanos, Incoming request) {}

    private final PriorityQueue<Due> queue = new PriorityQueue<>(Comparator.comparingLong(Due::nanos));
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition earlier = lock.newCondition();

    Postponed() {
        Thread.ofPlatform().daemon().name("postponed").start(this::run);
    }

    void add(long nanos, Incoming request) {
        Due due = new Due(nanos, request);
        lock.lock();
        try {
            queue.add(due);
            if (due.equals(queue.peek())) {
                earlier.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        Pacer.sharpenTimer();
        try {
            while (true) {
                Due due = next();
                due.request().answer(due.nanos(), Service.SERVED);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Due next() throws InterruptedException {
        lock.lock();
        try {
            while (true) {
                Due first = queue.peek();
                long left = first == null ? TimeUnit.SECONDS.toNanos(1) : first.nanos() - System.nanoTime();
                if (first != null && left <= 0) {
                    return queue.remove();
                }
                long _ = earlier.awaitNanos(left); // woken when something is due earlier: then look again
            }
        } finally {
            lock.unlock();
        }
    }
}
