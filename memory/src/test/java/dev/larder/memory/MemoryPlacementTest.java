package dev.larder.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.memory.MemoryPlacement.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Placement of the memory that a thread touches: where it works, and where the call can only report that it does not. */
final class MemoryPlacementTest {

    private static final Path MAPPINGS = Path.of("/proc/thread-self/numa_maps");

    /** Runs on a thread that ends, so that a placement which stays does not reach other tests. */
    private static <T> T on(Thread.Builder builder, Callable<T> task) throws Exception {
        CompletableFuture<T> result = new CompletableFuture<>();
        builder.start(() -> {
            try {
                result.complete(task.call());
            } catch (Exception | AssertionError e) {
                result.completeExceptionally(e);
            }
        });
        return result.get();
    }

    private static BitSet nodes() {
        return MemoryNodes.withMemory();
    }

    /** Returns Linux's own report for the calling thread: the policy of a mapping that has none of its own. */
    private static String policy() throws IOException {
        return Files.readAllLines(MAPPINGS).getFirst().split(" ", 3)[1];
    }

    @Test
    void saysThatThereIsOneNode() throws Exception {
        assumeTrue(nodes().cardinality() == 1, "the machine has several memory nodes");
        for (Kind kind : Kind.values()) {
            assertThat(on(Thread.ofPlatform(), () -> MemoryPlacement.of(kind).refusal()))
                    .contains("the machine has one memory node");
        }
    }

    @Test
    void saysThatItTakesNativeCallsAndAPlatformThread() throws Exception {
        assertThat(on(
                        Thread.ofVirtual(),
                        () -> MemoryPlacement.of(Kind.LOCAL, nodes()).refusal()))
                .isPresent();
        if (!TestMachine.hasNativeCalls()) {
            assertThat(on(
                                    Thread.ofPlatform(),
                                    () -> MemoryPlacement.of(Kind.LOCAL, nodes())
                                            .refusal())
                            .orElseThrow())
                    .contains("native calls");
        }
    }

    @Test
    void tellsTheKernelAndTakesItBack() throws Exception {
        assumeTrue(TestMachine.hasNativeCalls(), "native calls are switched off in this pass");
        assumeTrue(Files.isReadable(MAPPINGS), "this kernel does not show memory policies");
        String seen = on(Thread.ofPlatform(), () -> {
            String before = policy();
            MemoryPlacement placement = MemoryPlacement.of(Kind.INTERLEAVED, nodes());
            assumeTrue(placement.refusal().isEmpty(), "refused: " + placement.refusal());
            String interleaved = policy();
            placement.close();
            String after = policy();
            placement.close();
            try (MemoryPlacement local = MemoryPlacement.of(Kind.LOCAL, nodes())) {
                assertThat(local.refusal()).isEmpty();
                return before + " " + interleaved + " " + after + " " + policy();
            }
        });
        assertThat(seen).matches("default interleave:[0-9,-]+ default local");
    }

    @Test
    void reachesThreadsThatAreStartedLater() throws Exception {
        assumeTrue(TestMachine.hasNativeCalls(), "native calls are switched off in this pass");
        assumeTrue(Files.isReadable(MAPPINGS), "this kernel does not show memory policies");
        String child = on(Thread.ofPlatform(), () -> {
            try (MemoryPlacement placement = MemoryPlacement.of(Kind.INTERLEAVED, nodes())) {
                assumeTrue(placement.refusal().isEmpty(), "refused: " + placement.refusal());
                return on(Thread.ofPlatform(), MemoryPlacementTest::policy);
            }
        });
        assertThat(child).startsWith("interleave:");
    }

    @Test
    void isClosedByItsThread() throws Exception {
        MemoryPlacement placement = on(Thread.ofPlatform(), () -> MemoryPlacement.of(Kind.LOCAL));
        assertThatThrownBy(placement::close).isInstanceOf(WrongThreadException.class);
    }
}
