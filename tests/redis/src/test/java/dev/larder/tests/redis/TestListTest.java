package dev.larder.tests.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestListTest {

    @TempDir
    Path scratch;

    @Test
    void shouldReadWhatItWrites() throws Exception {
        TestList list = new TestList();
        list.put(new TestName("unit/a", "GET | SET\n twice", 1), "yes");
        list.put(new TestName("unit/a", "GET", 2), "no | lpush rpush");
        Path file = scratch.resolve("tests.txt");
        list.write(file, List.of("a comment"));

        TestList read = TestList.read(file);

        assertThat(Files.readAllLines(file))
                .containsExactly(
                        "# a comment", "unit/a | GET / SET twice | yes", "unit/a | GET [2] | no | lpush rpush");
        assertThat(read.all()).isEqualTo(list.all());
        assertThat(read.counts(new TestName("unit/a", "GET / SET twice", 1))).isTrue();
        assertThat(read.counts(new TestName("unit/a", "GET", 2))).isFalse();
        assertThat(read.counts(new TestName("unit/a", "GET", 1))).isFalse();
    }

    @Test
    void shouldMissTestsThatTheSuiteDidNotComeTo() {
        TestList list = new TestList();
        TestName ran = new TestName("unit/a", "ran", 1);
        TestName left = new TestName("unit/a", "left", 1);
        list.put(ran, "yes");
        list.put(left, "yes");
        TestResult between = new TestResult(
                new TestName("unit/a", SuiteRun.BETWEEN, 1), TestResult.Outcome.FAILED, "no such thing", 0);

        List<TestResult> complete = new Judgement(list)
                .complete("unit/a", List.of(new TestResult(ran, TestResult.Outcome.OK, "", 1), between));

        assertThat(complete)
                .last()
                .hasToString("unit/a | left | not_reached | the suite failed between tests before it");
    }
}
