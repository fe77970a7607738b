package dev.larder.lab.load;

import dev.larder.cli.Figures;
import dev.larder.lab.result.Attempt;
import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A target of known behaviour, to test the instrument.
 *
 * <p>Command {@code start} answers with the {@code port} of one of
 *
 * <ul>
 *   <li>{@code {"behaviour": "delays", "shortest_us", "mean_us", "seed", "log"}}: answers each request after its own delay,
 *       however many are open. A delay is the shortest one and an exponentially distributed rest. Delays are drawn, and
 *       written to the file {@code log}, if one is named, as longs in nanoseconds;
 *   <li>{@code {"behaviour": "capacity", "per_second"}}: serves one request after the other, each in the same time.
 * </ul>
 *
 * on loopback, or at the address {@code host}. Command {@code finish} closes the file of delays.
 */
public final class KnownTarget {

    private static final double MICRO = 1e3;
    private static final double SECOND = 1e9;

    /** Answers at later moments. */
    private final ScheduledExecutorService postponed = Executors.newSingleThreadScheduledExecutor(work -> {
        Runnable exact = () -> {
            Pacer.sharpenTimer();
            work.run();
        };
        return Thread.ofPlatform().daemon().name("postponed").unstarted(exact);
    });

    private final SplittableRandom random;
    private final double shortestNanos;
    private final double restNanos;
    private final double serviceNanos;
    private final boolean drawn;
    private final @Nullable DataOutputStream delays;
    private long freeNanos = System.nanoTime();

    private KnownTarget(Figures settings) {
        drawn = settings.text("behaviour").equals("delays");
        random = new SplittableRandom(drawn ? settings.whole("seed") : 0);
        shortestNanos = drawn ? settings.number("shortest_us") * MICRO : 0;
        restNanos = drawn ? settings.number("mean_us") * MICRO - shortestNanos : 0;
        serviceNanos = drawn ? 0 : SECOND / settings.number("per_second");
        delays = drawn && settings.has("log") ? open(Path.of(settings.text("log"))) : null;
    }

    private static DataOutputStream open(Path file) {
        return Attempt.giving(
                "write " + file, () -> new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file))));
    }

    /** Serves a conductor until it ends. */
    public static void main(String[] arguments) throws IOException {
        TargetLoop loop = new TargetLoop();
        loop.commands().on("start", settings -> start(loop, settings));
        loop.serve();
    }

    private static Figures start(TargetLoop loop, Figures settings) {
        KnownTarget target = new KnownTarget(settings);
        TargetServer server = new TargetServer(new InetSocketAddress(host(settings), 0), target::take);
        loop.commands().on("finish", arguments -> target.finish());
        return new Figures().put("port", server.address().getPort());
    }

    private static String host(Figures settings) {
        return settings.has("host") ? settings.text("host") : "127.0.0.1";
    }

    private synchronized void take(Incoming request) {
        if (drawn) {
            long delay = (long) (shortestNanos - Math.log(1 - random.nextDouble()) * restNanos);
            note(delay);
            answerAt(request.receivedNanos + delay, request);
        } else {
            freeNanos = Math.max(freeNanos, request.receivedNanos) + (long) serviceNanos;
            answerAt(freeNanos, request);
        }
    }

    private void answerAt(long nanos, Incoming request) {
        var _ = postponed.schedule(
                () -> request.answer(nanos, Service.SERVED), nanos - System.nanoTime(), TimeUnit.NANOSECONDS);
    }

    private void note(long delay) {
        try {
            if (delays != null) {
                delays.writeLong(delay);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private synchronized Figures finish() {
        try {
            if (delays != null) {
                delays.close();
            }
            return new Figures();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
