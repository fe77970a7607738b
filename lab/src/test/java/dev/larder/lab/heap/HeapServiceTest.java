package dev.larder.lab.heap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.lab.load.GrowingKeyWorkload;
import dev.larder.lab.load.GrowingKeys;
import dev.larder.lab.load.KeyWorkload;
import dev.larder.lab.load.Service;
import dev.larder.lab.machine.ProcessMeter;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

final class HeapServiceTest {

    private static final byte[] NOTHING = {};
    private static final int MANY = 50_000;

    private final ValueStore store = new MapStore(new ConcurrentHashMap<>());
    private final HeapService service = new HeapService(store, 1);

    @Test
    void tellsWhatIsMissingAndWhatIsWrong() {
        assertThat(service.serve(KeyWorkload.GET, 4, NOTHING)).isEqualTo(HeapService.MISSING);
        assertThat(service.serve(KeyWorkload.PUT, 4, NOTHING)).isEqualTo(Service.SERVED);
        assertThat(service.serve(KeyWorkload.GET, 4, NOTHING)).isEqualTo(Service.SERVED);
        byte[] ofAnother = new byte[Value.BYTES];
        Value.write(ofAnother, 5, 1);
        store.put(4, ofAnother);
        assertThat(service.serve(KeyWorkload.GET, 4, NOTHING)).isEqualTo(HeapService.WRONG);
    }

    @Test
    void aNewKeyIsFoundFromThenOnAndEndsWhereTheRoomDoes() {
        GrowingKeys keys = new GrowingKeys(1, 3);
        Service growing = new GrowingService(service, keys);
        assertThat(growing.serve(KeyWorkload.GET, 0, NOTHING)).isEqualTo(HeapService.MISSING);
        assertThat(growing.serve(KeyWorkload.PUT, 0, NOTHING)).isEqualTo(Service.SERVED);
        assertThat(growing.serve(KeyWorkload.GET, Long.MAX_VALUE, NOTHING)).isEqualTo(Service.SERVED);
        assertThat(growing.serve(KeyWorkload.PUT, GrowingKeyWorkload.NEW, NOTHING))
                .isEqualTo(Service.SERVED);
        assertThat(keys.count()).isEqualTo(2);
        assertThat(growing.serve(KeyWorkload.GET, Long.MAX_VALUE, NOTHING)).isEqualTo(Service.SERVED);
        assertThat(store.get(1, new byte[Value.BYTES])).isTrue();
        assertThat(growing.serve(KeyWorkload.PUT, GrowingKeyWorkload.NEW, NOTHING))
                .isEqualTo(Service.SERVED);
        assertThat(growing.serve(KeyWorkload.PUT, GrowingKeyWorkload.NEW, NOTHING))
                .isEqualTo(HeapService.FULL);
        assertThat(keys.count()).isEqualTo(3);
    }

    @Test
    void makesItsGarbageHoweverWellItIsCompiled() {
        service.serve(KeyWorkload.PUT, 4, NOTHING);
        ProcessMeter meter = ProcessMeter.start();
        for (int i = 0; i < MANY; i++) {
            service.serve(KeyWorkload.GET, 4, NOTHING);
        }
        assertThat(meter.allocatedBytes()).isGreaterThanOrEqualTo((long) MANY * HeapService.OBJECT_BYTES);
        assertThat(service.last()).hasSize(HeapService.OBJECT_BYTES);
    }
}
