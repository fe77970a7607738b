package dev.larder.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Binding a thread to processors: where it works, and where the call can only report that it does not. */
final class ProcessorBindingTest {

    private interface Task {
        void run() throws Exception;
    }

    /** Runs on a thread that ends, so that a binding which stays does not reach other tests. */
    private static void run(Thread.Builder builder, Task task) throws InterruptedException, ExecutionException {
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        builder.start(() -> {
            try {
                task.run();
                result.complete(true);
            } catch (Exception | AssertionError e) {
                result.completeExceptionally(e);
            }
        });
        result.get();
    }

    /** Returns the processors that Linux itself lists for the calling thread, as text. */
    private static String allowed() throws IOException {
        return Files.readAllLines(Path.of("/proc/thread-self/status")).stream()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void refusesNumbersThatNoMachineHas() {
        assertThatIllegalArgumentException()
                .isThrownBy(ProcessorBinding::bind)
                .withMessageContaining("set of processors is empty");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProcessorBinding.bind(-1))
                .withMessageContaining("processor -1");
    }

    @Test
    void saysThatAVirtualThreadIsNotBound() throws Exception {
        run(Thread.ofVirtual(), () -> {
            try (ProcessorBinding binding = ProcessorBinding.bind(0)) {
                assertThat(binding.refusal()).isPresent();
                assertThat(ProcessorBinding.current()).isEqualTo(new BitSet());
            }
        });
    }

    @Test
    void saysThatItNeedsNativeAccess() {
        assumeTrue(!TestMachine.hasNativeCalls(), "this pass makes native calls");
        try (ProcessorBinding binding = ProcessorBinding.bind(0)) {
            assertThat(binding.refusal())
                    .hasValueSatisfying(why -> assertThat(why).contains("native access"));
            assertThat(ProcessorBinding.current()).isEqualTo(new BitSet());
        }
    }

    @NativeAccess
    @Nested
    final class WithNativeCalls {

        @Test
        void bindsToOneProcessorAndBack() throws Exception {
            run(Thread.ofPlatform(), () -> {
                BitSet before = ProcessorBinding.current();
                String allowedBefore = allowed();
                int last = before.length() - 1;
                try (ProcessorBinding binding = ProcessorBinding.bind(last)) {
                    assertThat(binding.refusal()).isEmpty();
                    assertThat(allowed()).isEqualTo(String.valueOf(last));
                    assertThat(ProcessorBinding.current().stream()).containsExactly(last);
                }
                assertThat(allowed()).isEqualTo(allowedBefore);
                assertThat(ProcessorBinding.current()).isEqualTo(before);
            });
        }

        @Test
        void bindsToSeveral() throws Exception {
            run(Thread.ofPlatform(), () -> {
                BitSet before = ProcessorBinding.current();
                assumeTrue(before.cardinality() > 1, "there is only one processor");
                try (ProcessorBinding outer =
                        ProcessorBinding.bind(before.stream().toArray())) {
                    assertThat(outer.refusal()).isEmpty();
                    try (ProcessorBinding inner = ProcessorBinding.bind(before.nextSetBit(0))) {
                        assertThat(inner.refusal()).isEmpty();
                        assertThat(ProcessorBinding.current().cardinality()).isEqualTo(1);
                    }
                    assertThat(ProcessorBinding.current()).isEqualTo(before);
                }
            });
        }

        @Test
        void leavesOtherThreadsAlone() throws Exception {
            BitSet before = ProcessorBinding.current();
            run(Thread.ofPlatform(), () -> ProcessorBinding.bind(before.length() - 1));
            assertThat(ProcessorBinding.current()).isEqualTo(before);
        }

        /** A set of processors has 8192 bits. */
        @ParameterizedTest
        @ValueSource(ints = {8000, 8191, 8192, 100_000})
        void namesProcessorsThatAreNotThere(int number) {
            BitSet before = ProcessorBinding.current();
            try (ProcessorBinding binding = ProcessorBinding.bind(number)) {
                assertThat(binding.refusal())
                        .hasValueSatisfying(why ->
                                assertThat(why).contains("{" + number + "}").contains(before.toString()));
                assertThat(ProcessorBinding.current()).isEqualTo(before);
            }
        }

        @Test
        void isClosedByItsOwnThreadAlone() throws Exception {
            try (ProcessorBinding binding =
                    ProcessorBinding.bind(ProcessorBinding.current().stream().toArray())) {
                run(
                        Thread.ofPlatform(),
                        () -> assertThatThrownBy(binding::close).isInstanceOf(WrongThreadException.class));
            }
        }
    }
}
