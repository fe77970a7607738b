package dev.larder.lab.latency;

import dev.larder.cli.Figures;
import dev.larder.lab.process.ChildProcess;
import dev.larder.lab.result.Attempt;
import java.util.concurrent.CompletableFuture;

/** A sender and a receiver process; checks that their clocks are comparable. */
record Exchange(ChildProcess sender, ChildProcess receiver) {

    /** Runs both at the same time; returns the answers of both. */
    Figures run(Figures plan) {
        boolean isComparable = isComparable(sender) && isComparable(receiver);
        CompletableFuture<Figures> receiving =
                CompletableFuture.supplyAsync(() -> receiver.ask("receive", plan), Exchange::beside);
        Figures seen = sender.ask("send", plan).putAll(Attempt.await("receive messages", receiving));
        return seen.put("clocks_comparable", isComparable && isComparable(sender) && isComparable(receiver));
    }

    /** Uses a new thread: on a small machine, the common pool's only thread may be busy. */
    static void beside(Runnable task) {
        Thread.ofPlatform().daemon().name("receiver").start(task);
    }

    /**
     * Checks that a child's time lies between question and answer. On Linux, {@code System.nanoTime()} counts from the start of
     * the machine in every process; elsewhere, and in another time namespace, it may begin anywhere.
     */
    private static boolean isComparable(ChildProcess child) {
        long before = System.nanoTime();
        long there = child.ask("clock", new Figures()).whole("nanos");
        return isBetween(before, there, System.nanoTime());
    }

    static boolean isBetween(long before, long there, long after) {
        return there - before >= 0 && after - there >= 0;
    }
}
