package dev.larder.map;

import dev.larder.codec.ValueCodec;
import dev.larder.tests.support.ChildProgram;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** Another process that has a map of bytes open until this object is closed, and changes the map on request. */
final class OtherProcess implements AutoCloseable {

    static final long FIRST_KEY = 1000;
    static final int KEYS = 60;
    static final int LENGTH = 100_000;
    private static final int FILL = 'f';
    private static final int EMPTY = 'e';
    private static final String DONE = "done";

    private final Process process;
    private final BufferedReader answers;

    /** Starts the process, and waits until it has opened the map in a directory. */
    OtherProcess(Path directory) throws IOException {
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        classPath(),
                        ChildProgram.class.getName(),
                        OtherProcess.class.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        answers = process.inputReader(StandardCharsets.UTF_8);
        awaitDone();
    }

    /** Returns all paths of this JVM, including those of its modules. */
    private static String classPath() {
        return String.join(
                File.pathSeparator,
                Path.of(System.getProperty("basedir", ""), "target", "test-classes")
                        .toString(),
                System.getProperty("jdk.module.path", ""),
                System.getProperty("java.class.path"));
    }

    private void awaitDone() throws IOException {
        String answer = answers.readLine();
        if (!DONE.equals(answer)) {
            throw new IOException("the other process says " + answer);
        }
    }

    private void ask(int what) throws IOException {
        process.getOutputStream().write(what);
        process.getOutputStream().flush();
        awaitDone();
    }

    /** Makes the process put its keys, with values that fill some segments. */
    void fill() throws IOException {
        ask(FILL);
    }

    /** Makes the process remove its keys, and drop the segments. */
    void empty() throws IOException {
        ask(EMPTY);
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        process.onExit().join();
    }

    /** Opens the map in the given folder. */
    public static void main(String[] arguments) throws IOException {
        MapOptions options = MapOptions.defaults()
                .withLog(TestMaps.options())
                .withCleaning(Cleaning.defaults().withBackground(false));
        try (LarderMap<Long, byte[]> map =
                LarderMap.open(Path.of(arguments[0]), ValueCodec.longs(), ValueCodec.bytes(), options)) {
            map.set(1L, new byte[2]);
            System.out.println(DONE);
            for (int asked = System.in.read(); asked >= 0; asked = System.in.read()) {
                change(map, asked);
                System.out.println(DONE);
            }
        }
    }

    private static void change(LarderMap<Long, byte[]> map, int asked) {
        for (long key = FIRST_KEY; key < FIRST_KEY + KEYS; key++) {
            if (asked == FILL) {
                map.set(key, new byte[LENGTH]);
            } else {
                map.remove(key);
            }
        }
        if (asked == EMPTY) {
            map.compact();
        }
    }
}
