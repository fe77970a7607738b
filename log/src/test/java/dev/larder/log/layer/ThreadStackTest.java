package dev.larder.log.layer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.Position;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class ThreadStackTest {

    /** More frames than the JVM reports of a thread. */
    private static final int DEEP = 3000;

    private final CountDownLatch inside = new CountDownLatch(1);
    private final CountDownLatch leave = new CountDownLatch(1);
    private final CountDownLatch outside = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);

    /** The class whose methods the tests ask for. */
    private static final class User {

        private User() {}

        static void call(Runnable code) {
            code.run();
        }
    }

    private static int dive(int depth, Runnable bottom) {
        if (depth == 0) {
            bottom.run();
            return 0;
        }
        return 1 + dive(depth - 1, bottom);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** Starts a thread that is inside the user's method, the given number of frames deep, and then outside. */
    private Thread start(int depth, boolean virtual) {
        Thread.Builder builder = virtual ? Thread.ofVirtual() : Thread.ofPlatform();
        return builder.start(() -> {
            User.call(() -> dive(depth, () -> {
                inside.countDown();
                await(leave);
            }));
            dive(depth / 100, () -> {
                outside.countDown();
                await(end);
            });
        });
    }

    private static boolean mayBeInside(Thread thread) {
        return ThreadStack.mayBeInside(thread, User.class.getName()::equals);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void isInsideHoweverDeepTheCallersCodeIs(boolean virtual) throws InterruptedException {
        Thread thread = start(DEEP, virtual);
        await(inside);
        assertThat(mayBeInside(thread)).isTrue();
        leave.countDown();
        await(outside);
        assertThat(mayBeInside(thread)).isFalse();
        end.countDown();
        thread.join();
        assertThat(mayBeInside(thread)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aClaimIsNotLeftWhileTheCallersCodeIsDeep(boolean virtual) throws InterruptedException {
        long position = Position.of(0, 4096);
        OpenClaim claim = new OpenClaim(User.class);
        Thread thread = start(DEEP, virtual);
        claim.hold(position, thread);
        await(inside);
        assertThat(claim.isLeft(position)).isFalse();
        leave.countDown();
        await(outside);
        assertThat(claim.isLeft(position)).isTrue();
        end.countDown();
        thread.join();
    }
}
