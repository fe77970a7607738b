package dev.larder.map;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.collect.testing.ConcurrentMapTestSuiteBuilder;
import com.google.common.collect.testing.TestStringMapGenerator;
import com.google.common.collect.testing.features.CollectionFeature;
import com.google.common.collect.testing.features.CollectionSize;
import com.google.common.collect.testing.features.MapFeature;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import junit.framework.Test;
import junit.framework.TestFailure;
import junit.framework.TestResult;
import junit.framework.TestSuite;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Guava's whole suite for a {@link java.util.concurrent.ConcurrentMap}. Four features are not claimed: null keys and values (such
 * maps have none), an order of entries (a hash has none), serialization, and iterators that notice changes (ours continue).
 */
final class ConcurrentMapSuiteTest {

    private static final boolean NATIVE =
            System.getProperty("larder.test.storage", "system").equals("system");
    private static final int OPEN_MAPS = 8;

    @TempDir
    static Path directory;

    private static final Deque<LarderMap<String, String>> MAPS = new ArrayDeque<>();

    @AfterAll
    static void close() {
        MAPS.forEach(LarderMap::close);
    }

    /** Generates maps by emptying used ones, since opening a map takes longer than most of the tests. */
    private static final class Generator extends TestStringMapGenerator {

        @Override
        protected Map<String, String> create(Map.Entry<String, String>[] entries) {
            LarderMap<String, String> map = emptyMap();
            for (Map.Entry<String, String> entry : entries) {
                map.put(entry.getKey(), entry.getValue());
            }
            return map;
        }

        private static LarderMap<String, String> emptyMap() {
            LarderMap<String, String> map =
                    MAPS.size() < OPEN_MAPS ? TestMaps.texts(directory.resolve("map" + MAPS.size())) : MAPS.remove();
            map.clear();
            MAPS.add(map);
            return map;
        }
    }

    @TestFactory
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    Stream<DynamicNode> passesTheSuiteOfGuava() {
        assumeTrue(
                NATIVE || Boolean.getBoolean("larder.soak"),
                "what it asks does not reach the storage: without native calls in the long run (-Psoak) only");
        TestSuite suite = ConcurrentMapTestSuiteBuilder.using(new Generator())
                .named("LarderMap")
                .withFeatures(
                        CollectionSize.ANY, MapFeature.GENERAL_PURPOSE, CollectionFeature.SUPPORTS_ITERATOR_REMOVE)
                .createTestSuite();
        return nodes(suite);
    }

    private static Stream<DynamicNode> nodes(TestSuite suite) {
        return Collections.list(suite.tests()).stream().map(ConcurrentMapSuiteTest::node);
    }

    private static DynamicNode node(Test test) {
        return test instanceof TestSuite suite
                ? DynamicContainer.dynamicContainer(suite.getName(), nodes(suite))
                : DynamicTest.dynamicTest(test.toString(), () -> run(test));
    }

    private static void run(Test test) throws Throwable {
        TestResult result = new TestResult();
        test.run(result);
        for (TestFailure failure : Collections.list(result.errors())) {
            throw failure.thrownException();
        }
        for (TestFailure failure : Collections.list(result.failures())) {
            throw failure.thrownException();
        }
    }
}
