package dev.larder.lab.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class WorkersTest {

    private static final int SEARCH = 0;
    private static final int UPDATE = 1;

    /** A search that hangs holds up the next search, but no update. */
    @Test
    void whatIsServedAsideWaitsForNothingElse() throws InterruptedException {
        CountDownLatch hang = new CountDownLatch(1);
        Service service = (kind, argument, payload) -> {
            if (kind == SEARCH) {
                await(hang);
            }
            return Service.SERVED;
        };
        BlockingQueue<Long> answered = new LinkedBlockingQueue<>();
        try (TargetServer server = TargetServer.at("127.0.0.1", service, 1, kind -> kind == UPDATE);
                SocketDriver driver = driver(server.address(), answered)) {
            send(driver, 0, SEARCH);
            send(driver, 1, SEARCH);
            send(driver, 2, UPDATE);
            driver.flush();
            assertThat(answered.poll(1, TimeUnit.MINUTES)).isEqualTo(2);
            hang.countDown();
            assertThat(answered.poll(1, TimeUnit.MINUTES)).isZero();
            assertThat(answered.poll(1, TimeUnit.MINUTES)).isEqualTo(1);
        }
    }

    private static SocketDriver driver(InetSocketAddress address, BlockingQueue<Long> answered) {
        return new SocketDriver(address, 1, (id, status, waited, served) -> answered.add(id));
    }

    private static void send(SocketDriver driver, long id, int kind) {
        Request request = new Request();
        request.set(kind, id);
        driver.send(id, request);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
