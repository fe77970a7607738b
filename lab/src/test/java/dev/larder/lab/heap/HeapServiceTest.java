package dev.larder.lab.heap;

import static org.assertj.core.api.Assertions.assertThat;

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
