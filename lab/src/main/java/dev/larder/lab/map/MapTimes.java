package dev.larder.lab.map;

import dev.larder.cli.Figures;
import dev.larder.lab.load.Durations;
import dev.larder.lab.load.PauseRecorder;
import dev.larder.lab.load.SafepointRequests;
import dev.larder.lab.machine.ProcessMeter;
import dev.larder.lab.result.Attempt;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that do one operation at random places for some time. Times each eighth; counts and checks all. */
final class MapTimes {

    private static final int BLOCK = 64;
    private static final int SAMPLED = 8;
    private static final int PERCENT = 100;

    private final MapSubject subject;
    private final MapShape shape;
    private final GrowingKeys keys;
    private final MapOperation operation;
    private final boolean tells;

    /** Times of an operation on existing keys; {@code tells}: whether found values can be checked. */
    MapTimes(MapSubject subject, MapShape shape, GrowingKeys keys, MapOperation operation, boolean tells) {
        this.subject = subject;
        this.shape = shape;
        this.keys = keys;
        this.operation = operation;
        this.tells = tells;
    }

    /** As {@link #run(int, double, long)}; also measures, so many times a second, how long all threads take to stop. */
    Figures run(int threads, double seconds, long seed, int safepointsPerSecond) {
        if (safepointsPerSecond == 0) {
            return run(threads, seconds, seed);
        }
        try (PauseRecorder recorder = new PauseRecorder()) {
            SafepointRequests requests = new SafepointRequests(safepointsPerSecond);
            try {
                return run(threads, seconds, seed).putAll(safepoints(recorder.stop()));
            } finally {
                requests.close();
            }
        }
    }

    private static Figures safepoints(List<Figures> pauses) {
        Durations times = new Durations();
        pauses.stream()
                .filter(pause -> pause.text("kind").equals("safepoint"))
                .forEach(pause -> times.record((long) (pause.number("ms") * 1e6)));
        return new Figures()
                .put("safepoints", times.count())
                .putAll(times.figures("safepoint_%s_us", "p50 p99 p999 max"));
    }

    /** Runs so many threads for so long; returns their figures. */
    Figures run(int threads, double seconds, long seed) {
        CountDownLatch start = new CountDownLatch(1);
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Future<Hand>> futures = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                SplittableRandom random = new SplittableRandom(seed * 1000 + thread);
                futures.add(pool.submit(new Hand(start, (long) (seconds * 1e9), random)));
            }
            ProcessMeter meter = ProcessMeter.start();
            start.countDown();
            List<Hand> hands = futures.stream()
                    .map(future -> Attempt.await(operation.name(), future))
                    .toList();
            return figures(hands, meter.figures());
        }
    }

    private static Figures figures(List<Hand> hands, Figures meter) {
        Durations times = new Durations();
        hands.forEach(hand -> times.add(hand.times));
        long done = hands.stream().mapToLong(hand -> hand.done).sum();
        double seconds = hands.stream().mapToLong(hand -> hand.nanos).max().orElse(1) / 1e9;
        return new Figures()
                .put(
                        "answered_per_s",
                        hands.stream().mapToDouble(Hand::perSecond).sum())
                .put("operations", done)
                .put("errors", hands.stream().mapToLong(hand -> hand.wrong).sum())
                .putAll(times.figures("%s_us", "mean p50 p90 p99 p999 p9999 max"))
                .put("cpu_cores", meter.number("cpu_ms") / 1e3 / seconds)
                .put("faults", meter.get("faults"))
                .put("gc_count", meter.get("gc_count"))
                .put("longest_pause_ms", meter.get("gc_pause_ms_max"));
    }

    /** One thread, and its figures. */
    private final class Hand implements Callable<Hand> {

        private final CountDownLatch start;
        private final long wantedNanos;
        private final SplittableRandom random;
        private final byte[] value = MapValue.pattern(shape.valueBytes());
        private final byte[] found = new byte[shape.valueBytes()];
        private final Durations times = new Durations();
        private long done;
        private long wrong;
        private long nanos;

        Hand(CountDownLatch start, long wantedNanos, SplittableRandom random) {
            this.start = start;
            this.wantedNanos = wantedNanos;
            this.random = random;
        }

        @Override
        public Hand call() throws Exception {
            start.await();
            long begun = System.nanoTime();
            while (nanos < wantedNanos) {
                block();
                nanos = System.nanoTime() - begun;
            }
            return this;
        }

        /** Reads the count once: otherwise getting threads would wait for putting ones, and not for the map. */
        private void block() throws Exception {
            long count = keys.count();
            for (int i = 0; i < BLOCK; i++) {
                long key = MapValue.key(random.nextLong(count));
                boolean sampled = i % SAMPLED == 0;
                long before = sampled ? System.nanoTime() : 0;
                boolean right = one(key);
                if (sampled) {
                    times.record(System.nanoTime() - before);
                }
                wrong += right ? 0 : 1;
            }
            done += BLOCK;
        }

        private boolean one(long key) throws Exception {
            int percent = operation.writesPercent();
            if (percent == PERCENT || (percent > 0 && random.nextInt(PERCENT) < percent)) {
                write(key);
                return true;
            }
            if (operation.inPlace()) {
                return subject.sum(key) != 0 || !tells;
            }
            boolean there = subject.get(key, found);
            return !tells || (there && MapValue.isOf(found, key));
        }

        /** Puts a new entry if one is due and has room; else replaces the key's entry. */
        private void write(long key) throws Exception {
            boolean isNew = operation.newPercent() > 0 && random.nextInt(PERCENT) < operation.newPercent();
            long number = isNew ? keys.take() : GrowingKeys.NONE;
            if (number == GrowingKeys.NONE) {
                put(key);
            } else {
                put(MapValue.key(number));
                keys.put(number);
            }
        }

        private void put(long key) throws Exception {
            MapValue.set(value, key, done);
            subject.put(key, value);
        }

        double perSecond() {
            return done / (nanos / 1e9);
        }
    }
}
