package dev.larder.cli;

import dev.larder.codec.ValueCodec;
import dev.larder.map.LarderMap;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** A map that another process has open. The process puts into it on request, and closes it when its input ends. */
final class HeldMap implements AutoCloseable {

    private final Process process;
    private final BufferedReader answers;
    private final OutputStream orders;

    private HeldMap(Process process) {
        this.process = process;
        answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        orders = process.getOutputStream();
    }

    /** Runs as the other process. */
    public static void main(String[] arguments) throws IOException {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (LarderMap<String, String> map =
                LarderMap.open(Path.of(arguments[0]), ValueCodec.texts(), ValueCodec.texts())) {
            System.out.println("open");
            for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                String[] entry = order.split("\t", -1);
                map.put(entry[0], entry[1]);
                System.out.println("put");
            }
        }
    }

    static HeldMap open(String directory) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String path = System.getProperty("jdk.module.path") + File.pathSeparator + testClasses();
        Process process = new ProcessBuilder(
                        java, "--enable-native-access=ALL-UNNAMED", "-cp", path, HeldMap.class.getName(), directory)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        HeldMap held = new HeldMap(process);
        held.await("open");
        return held;
    }

    private static Path testClasses() {
        String name = HeldMap.class.getName().replace('.', '/') + ".class";
        String file = Objects.requireNonNull(HeldMap.class.getResource("HeldMap.class"))
                .toString();
        return Path.of(URI.create(file.substring(0, file.length() - name.length())));
    }

    private void await(String word) throws IOException {
        String answer = answers.readLine();
        if (!word.equals(answer)) {
            throw new IOException("the other process said " + answer + ", expected " + word);
        }
    }

    void put(String key, String value) throws IOException {
        orders.write((key + "\t" + value + "\n").getBytes(StandardCharsets.UTF_8));
        orders.flush();
        await("put");
    }

    long pid() {
        return process.pid();
    }

    @Override
    public void close() throws IOException {
        orders.close();
        process.onExit().orTimeout(1, TimeUnit.MINUTES).join();
    }
}
