package dev.larder.tests.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.codec.ValueCodec;
import dev.larder.jackson.CborCodec;
import dev.larder.log.Log;
import dev.larder.lucene.LarderDirectory;
import dev.larder.map.LarderMap;
import dev.larder.memory.Storage;
import dev.larder.micrometer.LarderMetrics;
import dev.larder.queue.LarderQueue;
import io.micrometer.common.KeyValue;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.StringWriter;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.apache.lucene.index.IndexWriter;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JavaType;

/** The Java of a page, with all its blocks in order as one method, compiled against our classes and run. */
class GuideExamplesTest {

    private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern HEAD = Pattern.compile("(?m)^(import|package) .*;$");

    /** The declarations that the examples leave to the reader. */
    private static final String CONTEXT = """
        import dev.larder.codec.*;
        import dev.larder.jackson.*;
        import dev.larder.log.*;
        import dev.larder.lucene.*;
        import dev.larder.map.*;
        import dev.larder.memory.*;
        import dev.larder.memory.region.*;
        import dev.larder.micrometer.*;
        import dev.larder.queue.*;
        import io.micrometer.core.instrument.MeterRegistry;
        import io.micrometer.core.instrument.Tags;
        import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
        import java.lang.foreign.*;
        import java.lang.invoke.MethodHandles;
        import java.nio.file.Path;
        import java.time.Duration;
        import java.time.Instant;
        import java.util.List;
        import java.util.Map;
        import org.apache.lucene.document.Document;
        import org.apache.lucene.index.DirectoryReader;
        import org.apache.lucene.index.IndexWriter;
        import org.apache.lucene.index.IndexWriterConfig;

        public class Examples {
            static Path directory;
            static Path other;
            static final String name = "larder-guide-" + ProcessHandle.current().pid();
            static final byte[] bytes = new byte[100];
            static final MemorySegment memory = Arena.global().allocate(100);
            static final long offset = 10;
            static final long length = 20;
            static final List<byte[]> messages = List.of(new byte[1], new byte[2]);
            static int handled;
            static final MessageHandler handler = (segment, offset, length) -> handled++;

            static void handle(MemorySegment segment, long offset, int length) {
                handled++;
            }

            public static int run(Path first, Path second) throws Exception {
                directory = first;
                other = second;
        EXAMPLES
                return handled;
            }
        }
        """;

    @TempDir
    Path directory;

    /** The number is what the handlers and checks of a page add up to, if each of them runs and none finds a fault. */
    @ParameterizedTest
    @CsvSource({
        "README.md, 0",
        "docs/guide/latency.md, 1",
        "docs/guide/queue.md, 40",
        "docs/guide/map.md, 20",
        "docs/guide/redis.md, 0",
        "docs/guide/memory.md, 1",
        "docs/guide/metrics.md, 1",
        "docs/guide/lucene.md, 5"
    })
    void shouldCompileAndRunTheExamplesOfAPage(String page, int count) throws Exception {
        String blocks = blocks(Files.readString(Path.of("..").resolve(page)));
        compile(CONTEXT.replace("EXAMPLES", blocks));
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {directory.toUri().toURL()}, getClass().getClassLoader())) {
            Object handled = loader.loadClass("Examples")
                    .getMethod("run", Path.class, Path.class)
                    .invoke(null, directory.resolve("first"), directory.resolve("second"));
            assertThat((int) handled).as(page).isEqualTo(count);
        }
    }

    private static String blocks(String page) {
        String blocks =
                BLOCK.matcher(page).results().map(block -> block.group(1)).collect(Collectors.joining("\n"));
        assertThat(blocks).isNotBlank();
        return HEAD.matcher(blocks).replaceAll(Matcher.quoteReplacement(""));
    }

    private void compile(String source) throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter errors = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            SimpleJavaFileObject unit =
                    new SimpleJavaFileObject(URI.create("string:///Examples.java"), SimpleJavaFileObject.Kind.SOURCE) {
                        @Override
                        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                            return source;
                        }
                    };
            List<String> options = List.of("-d", directory.toString(), "-cp", classPath());
            boolean compiled = compiler.getTask(errors, files, null, options, null, List.of(unit))
                    .call();
            assertThat(compiled).as(errors.toString()).isTrue();
        }
    }

    private static String classPath() {
        return Stream.of(
                        Storage.class,
                        ValueCodec.class,
                        Log.class,
                        LarderMap.class,
                        LarderQueue.class,
                        LarderDirectory.class,
                        CborCodec.class,
                        TypeReference.class,
                        JavaType.class,
                        LarderMetrics.class,
                        MeterRegistry.class,
                        KeyValue.class,
                        IndexWriter.class)
                .map(type -> Path.of(URI.create(type.getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toString()))
                        .toString())
                .collect(Collectors.joining(System.getProperty("path.separator")));
    }
}
