package dev.larder.examples;

import dev.larder.codec.ValueCodec;
import dev.larder.map.LarderMap;
import dev.larder.map.MapSnapshot;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;

/** A snapshot shows the map as it was at one moment, while another thread continues to change it. */
public final class SnapshotOfAMap {

    private static final int SNAPSHOTS = 10;

    private SnapshotOfAMap() {}

    public static void main(String[] arguments) throws InterruptedException {
        AtomicBoolean ends = new AtomicBoolean();
        try (LarderMap<String, Long> map =
                LarderMap.open(Path.of(arguments[0]), ValueCodec.texts(), ValueCodec.longs())) {
            map.put("first", 0L);
            map.put("second", 0L);
            Thread writer = Thread.ofPlatform().start(() -> {
                for (long number = 1; !ends.get(); number++) {
                    map.put("first", number); // always put before the second
                    map.put("second", number);
                }
            });
            try {
                for (int i = 0; i < SNAPSHOTS; i++) {
                    look(map);
                }
            } finally {
                ends.set(true);
                writer.join();
            }
            System.out.println(SNAPSHOTS + " snapshots, while the numbers came to " + map.get("second"));
        }
    }

    private static void look(LarderMap<String, Long> map) {
        try (MapSnapshot<String, Long> snapshot = map.snapshot()) {
            Long first = snapshot.get("first");
            Long second = snapshot.get("second");
            if (first == null || second == null || first < second) {
                throw new IllegalStateException("the snapshot has " + second + ", and not what came before: " + first);
            }
        }
    }
}
