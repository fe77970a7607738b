package dev.larder.lab.latency;

import dev.larder.cli.Figures;
import dev.larder.lab.process.ChildProcess;
import java.util.concurrent.CompletableFuture;

/** Two processes, of which one sends messages and the other one receives them, and whether their clocks are one. */
record Exchange(ChildProcess sender, ChildProcess receiver) {

    /** Has both work at the same time; returns what each has seen. */
    Figures run(Figures plan) {
        boolean isComparable = isComparable(sender) && isComparable(receiver);
        CompletableFuture<Figures> receiving =
                CompletableFuture.supplyAsync(() -> receiver.ask("receive", plan), Exchange::beside);
        Figures seen = sender.ask("send", plan).putAll(receiving.join());
        return seen.put("clocks_comparable", isComparable && isComparable(sender) && isComparable(receiver));
    }

    /** A thread of its own: the common pool's only one on a small machine may be busy. */
    static void beside(Runnable task) {
        Thread.ofPlatform().daemon().name("receiver").start(task);
    }

    /**
     * Asks a child for its time: it must lie between the question and the answer. On Linux {@code System.nanoTime()} counts from
     * the start of the machine for everybody; elsewhere, and in another time namespace, it may begin anywhere.
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
