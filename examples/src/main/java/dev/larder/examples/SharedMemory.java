package dev.larder.examples;

import dev.larder.memory.region.RecordView;
import dev.larder.memory.region.Region;
import dev.larder.memory.region.RegionKind;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** A region has a name, by which another process attaches to the same bytes. Here another thread does. */
public final class SharedMemory {

    private static final VarHandle COUNT = ValueLayout.JAVA_LONG.varHandle();
    private static final int TICKS = 1000;

    private SharedMemory() {}

    /** One element of the region. */
    record Tick(long symbol, double price) {}

    public static void main(String[] arguments) throws InterruptedException, ExecutionException {
        String name = "larder-example-" + Path.of(arguments[0]).toAbsolutePath().hashCode();
        try (Region region = Region.create(RegionKind.SHARED_FILE, name, 1 << 20)) {
            try {
                FutureTask<Integer> reading = new FutureTask<>(() -> read(name));
                Thread.ofPlatform().daemon().start(reading);
                write(region);
                System.out.println("read " + reading.get() + " ticks by the name " + name);
            } finally {
                region.delete(); // without this, the bytes outlive the process
            }
        }
    }

    private static void write(Region region) {
        RecordView<Tick> ticks = RecordView.of(region, Tick.class, MethodHandles.lookup());
        for (int i = 1; i <= TICKS; i++) {
            ticks.put(i, new Tick(i, i / 4.0));
            COUNT.setRelease(region.segment(), 0L, (long) i); // a thread that acquires it sees all earlier writes
        }
    }

    private static int read(String name) {
        try (Region region = Region.attach(RegionKind.SHARED_FILE, name)) {
            RecordView<Tick> ticks = RecordView.of(region, Tick.class, MethodHandles.lookup());
            for (long i = 1; i <= TICKS; i++) {
                while ((long) COUNT.getAcquire(region.segment(), 0L) < i) {
                    Thread.onSpinWait();
                }
                if (!ticks.get(i).equals(new Tick(i, i / 4.0))) {
                    throw new IllegalStateException("tick " + i + " is " + ticks.get(i));
                }
            }
        }
        return TICKS;
    }
}
