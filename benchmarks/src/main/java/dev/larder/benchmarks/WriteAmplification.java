package dev.larder.benchmarks;

import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.log.ValueCodec;
import dev.larder.map.Cleaning;
import dev.larder.map.LarderMap;
import dev.larder.map.MapOptions;
import dev.larder.map.MapSpace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * How many bytes a map writes for one that is put, when keys are overwritten at random: at half full, and at 80 %. Beside it
 * the least that a cleaner can reach which takes the oldest segment: where a share a of what is used is alive, segments come
 * to it with a share s, a = (1 - s) / -ln s, and it writes 1 / (1 - s).
 *
 * <p>Arguments: entries (1,000,000 by default, of 100 bytes), and how often each is overwritten (10).
 */
public final class WriteAmplification {

    private static final int VALUE_BYTES = 100;
    private static final double[] SPACE_FACTORS = {2, 1.25};

    private final int entries;
    private final int turns;

    private WriteAmplification(int entries, int turns) {
        this.entries = entries;
        this.turns = turns;
    }

    /** Runs both. */
    public static void main(String[] arguments) throws IOException {
        int entries = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 1_000_000;
        int turns = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 10;
        System.out.println(
                "| space factor | alive of what is used | written for one | least | alive of the files | puts per us"
                        + " |");
        System.out.println("| ---: | ---: | ---: | ---: | ---: | ---: |");
        for (double factor : SPACE_FACTORS) {
            new WriteAmplification(entries, turns).run(factor);
        }
    }

    private void run(double factor) throws IOException {
        Path directory = QueueFiles.create();
        LogOptions options = LogOptions.defaults().withSync(SyncPolicy.none());
        Cleaning cleaning = Cleaning.defaults().withSpaceFactor(factor);
        try (LarderMap<Long, byte[]> map = LarderMap.open(
                directory,
                ValueCodec.longs(),
                ValueCodec.bytes(),
                MapOptions.defaults().withLog(options).withCleaning(cleaning))) {
            load(map);
            overwrite(map, entries * (turns / 2L)); // until it is as it will be
            measure(map, factor);
        } finally {
            QueueFiles.delete(directory);
        }
    }

    private void load(LarderMap<Long, byte[]> map) {
        for (long key = 0; key < entries; key++) {
            map.set(key, new byte[VALUE_BYTES]);
        }
    }

    private void overwrite(LarderMap<Long, byte[]> map, long puts) {
        SplittableRandom random = new SplittableRandom();
        byte[] value = new byte[VALUE_BYTES];
        for (long i = 0; i < puts; i++) {
            map.set((long) random.nextInt(entries), value);
        }
    }

    private void measure(LarderMap<Long, byte[]> map, double factor) {
        MapSpace before = map.info().space();
        long recordBytes = before.liveBytes() / entries;
        long puts = (long) entries * turns;
        double used = 0;
        double files = 0;
        long start = System.nanoTime();
        for (int part = 0; part < 100; part++) {
            overwrite(map, puts / 100);
            MapSpace now = map.info().space();
            used += now.liveBytes() + now.deadBytes();
            files += now.fileBytes();
        }
        double micros = (System.nanoTime() - start) / 1e3;
        MapSpace after = map.info().space();
        double own = puts * (double) recordBytes;
        double alive = after.liveBytes() / (used / 100);
        System.out.printf(
                Locale.ROOT,
                "| %.2f | %.3f | %.2f | %.2f | %.3f | %.2f |%n",
                factor,
                alive,
                (own + after.carriedBytes() - before.carriedBytes()) / own,
                least(alive),
                after.liveBytes() / (files / 100),
                puts / micros);
    }

    /** Solves a = (1 - s) / -ln s by halves. */
    private static double least(double alive) {
        double low = 1e-9;
        double high = 1 - 1e-9;
        for (int i = 0; i < 100; i++) {
            double middle = (low + high) / 2;
            if ((1 - middle) / -Math.log(middle) < alive) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return 1 / (1 - low);
    }
}
