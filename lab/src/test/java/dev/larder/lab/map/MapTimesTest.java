package dev.larder.lab.map;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.cli.Figures;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** New keys are put once each, and can be drawn from then on; a map that loses some of them is caught during the timing. */
class MapTimesTest {

    private static final long ENTRIES = 1000;
    private static final MapShape SHAPE = new MapShape(ENTRIES, 100, 50_000);
    private static final int THREADS = 3;
    private static final double SECONDS = 0.3;

    private final GrowingKeys keys = new GrowingKeys(SHAPE.entries(), SHAPE.mostEntries());

    private Figures run(ConcurrentMap<Long, byte[]> map, int writesPercent, int newPercent) throws Exception {
        HashMapSubject subject = new HashMapSubject(shape -> map, "a map of the test");
        subject.open(Path.of(""), SHAPE);
        byte[] value = MapValue.pattern(SHAPE.valueBytes());
        for (long number = 0; number < ENTRIES; number++) {
            MapValue.set(value, MapValue.key(number), number);
            subject.load(MapValue.key(number), value);
        }
        MapOperation operation = MapOperation.writes(writesPercent, newPercent);
        return new MapTimes(subject, SHAPE, keys, operation, true).run(THREADS, SECONDS, 1);
    }

    @Test
    void everyKeyThatIsDrawnIsThere() throws Exception {
        ConcurrentMap<Long, byte[]> map = new ConcurrentHashMap<>();
        Figures figures = run(map, 50, 50);
        assertThat(figures.whole("errors")).isZero();
        assertThat(keys.count()).isGreaterThan(ENTRIES + 100);
        assertThat(map).hasSize((int) keys.count());
        for (long number = 0; number < keys.count(); number++) {
            assertThat(map).containsKey(MapValue.key(number));
        }
    }

    @Test
    void thereAreNoMoreThanThereIsRoomFor() throws Exception {
        ConcurrentMap<Long, byte[]> map = new ConcurrentHashMap<>();
        Figures figures = run(map, 100, 100);
        assertThat(figures.whole("operations")).isGreaterThan(SHAPE.newEntries());
        assertThat(keys.count()).isEqualTo(SHAPE.mostEntries());
        assertThat(map).hasSize((int) SHAPE.mostEntries());
    }

    @Test
    void nothingComesWhereNothingIsAskedFor() throws Exception {
        ConcurrentMap<Long, byte[]> map = new ConcurrentHashMap<>();
        assertThat(run(map, 50, 0).whole("errors")).isZero();
        assertThat(keys.count()).isEqualTo(ENTRIES);
        assertThat(map).hasSize((int) ENTRIES);
    }

    /** This map behaves like a full cache: it replaces old entries, but takes no new ones. */
    @Test
    void findsANewKeyThatIsLost() throws Exception {
        ConcurrentMap<Long, byte[]> full = new ConcurrentHashMap<>() {
            @Override
            public byte @Nullable [] put(Long key, byte[] value) {
                return size() < ENTRIES ? super.put(key, value) : replace(key, value);
            }
        };
        assertThat(run(full, 50, 50).whole("errors")).isPositive();
    }
}
