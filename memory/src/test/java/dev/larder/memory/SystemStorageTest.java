package dev.larder.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/** The choice of the storage, in a JVM that asks for the system's storage and prints whether it is native. */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
final class SystemStorageTest {

    /** Prints the choice, which is made once however often it is asked for. */
    static final class Ask {
        public static void main(String[] arguments) {
            boolean chosen = SystemStorage.system().isNative();
            System.out.println(chosen == SystemStorage.system().isNative() ? "native: " + chosen : "two choices");
        }
    }

    private static final String MODULE_MAIN = "dev.larder.memory/" + Ask.class.getName();

    @BeforeEach
    void onlyLinuxHasAChoice() {
        assumeTrue(SystemStorage.isLinux(), "Larder knows native calls of Linux only");
    }

    @Test
    void thisJvmHasWhatItMayHave() {
        assertThat(SystemStorage.system().isNative()).isEqualTo(TestMachine.hasNativeCalls());
        assertThat(SystemStorage.portable().isNative()).isFalse();
    }

    @Test
    void aModuleThatMayCallNatively() throws InterruptedException {
        assertThat(output("--enable-native-access=dev.larder.memory", "-p", modulePath(), "-m", MODULE_MAIN))
                .isEqualTo("native: true");
    }

    @Test
    void aClassPathThatMayCallNatively() throws InterruptedException {
        assertThat(output("--enable-native-access=ALL-UNNAMED", "-cp", classPath(), Ask.class.getName()))
                .isEqualTo("native: true");
    }

    @Test
    void aModuleThatMayNot() throws InterruptedException {
        assertAdvice(output("-p", modulePath(), "-m", MODULE_MAIN), "--enable-native-access=dev.larder.memory ");
    }

    @Test
    void aClassPathThatMayNot() throws InterruptedException {
        assertAdvice(output("-cp", classPath(), Ask.class.getName()), "--enable-native-access=ALL-UNNAMED ");
    }

    /** Checks for one line of advice (below the line with its time and place), and not a word of the JVM. */
    private static void assertAdvice(String output, String flag) {
        assertThat(output.lines())
                .hasSize(3)
                .satisfiesOnlyOnce(line -> assertThat(line)
                        .startsWith("INFO: Larder runs without native calls.")
                        .contains(flag))
                .contains("native: false");
        assertThat(output).doesNotContain("WARNING").doesNotContain("restricted");
    }

    private static String output(String... arguments) throws InterruptedException {
        List<String> flags = new ArrayList<>(List.of("-Duser.language=en"));
        if (List.of(arguments).contains("-m")) {
            flags.add("--patch-module=dev.larder.memory=" + tests());
        }
        flags.addAll(List.of(arguments));
        try (ChildJvm child = ChildJvm.start(ChildJvm.java(flags))) {
            return child.rest();
        }
    }

    private static String modulePath() {
        return ChildJvm.classes(Storage.class).toString();
    }

    private static String classPath() {
        return modulePath() + System.getProperty("path.separator") + tests();
    }

    private static String tests() {
        return ChildJvm.classes(SystemStorageTest.class).toString();
    }
}
