package dev.larder.tests.support;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A Chromium without a window, driven over its DevTools protocol, on loopback only. */
public final class Browser implements AutoCloseable {

    private static final Duration START = Duration.ofSeconds(60);
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");

    static final String MISSING = "there is no chromium to open a report in";

    private final Process process;
    private final DevTools tools;

    private Browser(Process process, DevTools tools) {
        this.process = process;
        this.tools = tools;
    }

    /**
     * Starts a browser of its own; skips the test if none is installed.
     *
     * @param profile an empty directory for the browser's files
     */
    public static Browser start(Path profile) throws IOException, InterruptedException {
        Optional<Path> program = program();
        assumeTrue(program.isPresent(), MISSING);
        Process process = new ProcessBuilder(command(program.orElseThrow(), profile))
                .redirectErrorStream(true)
                .redirectOutput(profile.resolve("browser.log").toFile())
                .start();
        try {
            return new Browser(process, DevTools.connect(address(process, profile)));
        } catch (IOException | RuntimeException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    static boolean isInstalled() {
        return program().isPresent();
    }

    private static Optional<Path> program() {
        return NAMES.stream().flatMap(Browser::found).findFirst();
    }

    private static Stream<Path> found(String name) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable);
    }

    /** Switches off all that a browser does by itself, so that each request is the page's. */
    private static List<String> command(Path program, Path profile) {
        return List.of(
                program.toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-quic",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-default-apps",
                "--disable-extensions",
                "--disable-sync",
                "--no-first-run",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank");
    }

    /** Waits for the file into which the browser writes its port and a path. */
    private static String address(Process process, Path profile) throws IOException, InterruptedException {
        Path file = profile.resolve("DevToolsActivePort");
        long end = System.nanoTime() + START.toNanos();
        while (System.nanoTime() < end && process.isAlive()) {
            List<String> lines = Files.exists(file) ? Files.readAllLines(file) : List.of();
            if (lines.size() >= 2) {
                return "ws://127.0.0.1:" + lines.get(0) + lines.get(1);
            }
            Thread.sleep(50);
        }
        throw new IOException("the browser does not answer: " + Files.readString(profile.resolve("browser.log")));
    }

    /** Opens a page, in the light scheme, and waits until it is drawn. */
    public BrowserPage open(Path page) {
        return BrowserPage.open(tools, page);
    }

    @Override
    public void close() {
        tools.close();
        List<ProcessHandle> children = process.descendants().toList();
        process.destroy();
        children.forEach(ProcessHandle::destroy);
        end(children);
    }

    private void end(List<ProcessHandle> children) {
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        children.forEach(ProcessHandle::destroyForcibly);
    }
}
