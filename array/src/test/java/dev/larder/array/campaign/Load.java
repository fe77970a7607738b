package dev.larder.array.campaign;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/** Clients that call until they are told to end. The short pause between calls leaves some of the processors to the nodes. */
final class Load {

    /** The key that each client increments now and then. The judge does not see it: its increments are counted separately. */
    static final String TOTAL = "total";

    /**
     * Keys with lifetimes, where clocks step. The judge cannot say when they end, so it does not see these keys. But all mirrors
     * must agree.
     */
    private static final String MORTAL = "mortal";

    private static final int PAUSE_MILLIS = 5;
    private static final int STRAY_PERCENT = 5;
    private static final int TOTAL_PERCENT = 5;
    private static final int MORTAL_PERCENT = 5;
    private static final int MORTALS = 10;
    private static final int REPLACE_PERCENT = 4;
    private static final int TOGETHER_PERCENT = 10;
    private static final long READ_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(3);

    private final Network network;
    private final List<InetSocketAddress> nodes = new CopyOnWriteArrayList<>();
    private final Set<InetSocketAddress> left = ConcurrentHashMap.newKeySet();
    private final long seed;
    private final History history = new History();
    private final History totals = new History();
    private final History unjudged = new History();
    private final boolean lifetimes;
    private final Keys keys;
    private final AtomicBoolean ended = new AtomicBoolean();
    private final AtomicLong counted = new AtomicLong();
    private final List<CompletableFuture<Void>> clients = new CopyOnWriteArrayList<>();

    /**
     * Clients that call from now on.
     *
     * @param lifetimes whether keys have lifetimes that the judge sees: they need clocks that do not step
     */
    Load(Network network, int nodes, int clientCount, long seed, boolean lifetimes) {
        this.network = network;
        this.lifetimes = lifetimes;
        this.keys = new Keys(history::openCalls, lifetimes);
        this.seed = seed;
        IntStream.range(0, nodes).forEach(this::join);
        for (int client = 0; client < clientCount; client++) {
            SplittableRandom random = new SplittableRandom(seed * 1000 + client);
            clients.add(inside(() -> call(random)));
        }
    }

    private InetSocketAddress address(int node) {
        return NodeProgram.address(network.addresses(node).split(":", -1), 1);
    }

    /** Makes all clients leave a node for good, except the one that reads there alone. */
    void leave(int node) {
        left.add(address(node));
    }

    /** Makes clients use another node as well. */
    void join(int node) {
        InetSocketAddress address = address(node);
        nodes.add(address);
        SplittableRandom random = new SplittableRandom(-seed * 1000 - node);
        clients.add(inside(() -> watch(address, random)));
    }

    /** Reads at one node alone. A former leader that does not know its successor must not answer. */
    private void watch(InetSocketAddress node, SplittableRandom random) {
        try (Client client = Client.of(node, history, random)) {
            while (!ended.get()) {
                String key = keys.next(random);
                client.call(key, List.of(Keys.reading(key)));
                Faults.sleep(PAUSE_MILLIS);
            }
        }
    }

    private CompletableFuture<Void> inside(Runnable task) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("campaign client").start(() -> {
            try {
                network.enter();
                task.run();
                end.complete(null);
            } catch (RuntimeException | Error e) {
                end.completeExceptionally(e);
            }
        });
        return end;
    }

    private void call(SplittableRandom random) {
        try (Client client = new Client(nodes, left, history, random);
                Client counter = new Client(nodes, left, totals, random);
                Client mortal = new Client(nodes, left, unjudged, random)) {
            while (!ended.get()) {
                Faults.sleep(PAUSE_MILLIS);
                int chance = random.nextInt(100);
                if (chance < TOTAL_PERCENT) {
                    counter.call(TOTAL, List.of(new Command("incr", ""))).ifPresent(sum -> counted.incrementAndGet());
                    continue;
                }
                if (!lifetimes && random.nextInt(100) < MORTAL_PERCENT) {
                    mortal.call(MORTAL + random.nextInt(MORTALS), List.of(keys.mortal(random)));
                    continue;
                }
                String key = keys.next(random);
                if (chance < TOTAL_PERCENT + STRAY_PERCENT) {
                    client.stray(key);
                }
                if (key.startsWith("text") && random.nextInt(100) < REPLACE_PERCENT) {
                    client.replace(key, keys.value());
                } else if (random.nextInt(100) < TOGETHER_PERCENT) {
                    client.together(key, together(key, random));
                } else {
                    client.call(key, keys.commands(key, random));
                }
            }
        }
    }

    /** Returns a write of a key and a read behind it. More commands would have more orders than the judge can try. */
    private List<Command> together(String key, SplittableRandom random) {
        return List.of(keys.commands(key, random).getFirst(), Keys.reading(key));
    }

    /** Calls a command on some keys, once on each, from another client. */
    void call(List<String> some, Command command) {
        inside(() -> {
                    try (Client client = new Client(nodes, left, history, new SplittableRandom(seed))) {
                        some.forEach(key -> client.call(key, List.of(command)));
                    }
                })
                .orTimeout(5, TimeUnit.MINUTES)
                .join();
    }

    History history() {
        return history;
    }

    /** Ends the clients, once their calls have come back. */
    void end() {
        ended.set(true);
        clients.forEach(client -> client.orTimeout(5, TimeUnit.MINUTES).join());
    }

    /** Ends the clients, and does not wait for them. */
    void abandon() {
        ended.set(true);
    }

    /** Reads all keys once more, to find each acknowledged write. Returns the total. */
    long readAll() {
        AtomicLong total = new AtomicLong();
        inside(() -> {
                    try (Client client = new Client(nodes, Set.of(), history, new SplittableRandom(1));
                            Client counter = new Client(nodes, Set.of(), totals, new SplittableRandom(2))) {
                        keys.used().forEach(key -> read(client, key));
                        String sum = read(counter, TOTAL);
                        total.set(sum.equals("nil") ? 0 : Long.parseLong(sum));
                    }
                })
                .orTimeout(10, TimeUnit.MINUTES)
                .join();
        return total.get();
    }

    private static String read(Client client, String key) {
        long begun = System.nanoTime();
        while (System.nanoTime() - begun < READ_AGAIN_NANOS) {
            Optional<List<String>> read = client.call(key, List.of(Keys.reading(key)));
            if (read.isPresent()) {
                return read.get().getFirst();
            }
        }
        throw new AssertionError("key " + key + " cannot be read: the array does not answer");
    }

    /** Returns how many increments of the total were acknowledged. */
    long counted() {
        return counted.get();
    }

    /** Returns how many increments of the total have no answer. */
    long openTotals() {
        return totals.lines().stream().filter(line -> line.contains(" ? ")).count();
    }
}
