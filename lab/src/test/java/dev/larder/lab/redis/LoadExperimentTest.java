package dev.larder.lab.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.larder.cli.Figures;
import dev.larder.cli.Larder;
import dev.larder.lab.LabRun;
import dev.larder.lab.RunOptions;
import dev.larder.lab.WholeExperiment;
import dev.larder.lab.load.Response;
import dev.larder.lab.load.Responses;
import dev.larder.lab.machine.SystemCommand;
import dev.larder.lab.process.JavaProcess;
import dev.larder.lab.process.Signals;
import dev.larder.lab.result.LabException;
import dev.larder.lab.study.Settings;
import dev.larder.tests.support.Effort;
import dev.larder.tests.support.OtherThread;
import dev.larder.tests.support.ReportCheck;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/**
 * Runs the whole experiment with small loads, including child processes: on a real Redis if one is installed, and on targets of
 * our own. A machine that holds up the generator rightly makes a load void; the test then repeats it.
 */
@DisabledOnOs(OS.WINDOWS)
final class LoadExperimentTest extends WholeExperiment {

    private static final int ATTEMPTS = 4;
    private static final long PATIENCE_SECONDS = 120;

    private int exitCode;

    private Figures run(String options) {
        return run(LoadOptionsTest.options(options), directory.resolve("result"), null);
    }

    private Figures run(LoadOptions options, Path folder, @Nullable String revision) {
        out.reset();
        err.reset();
        exitCode = run(new LoadExperiment(options), new RunOptions(folder, true, false, false, List.of()), revision);
        return result(); // the output is only JSON
    }

    /** Runs until the machine lets the generator send in time. */
    private Figures runInTime(String options) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Figures result = run(LoadOptionsTest.options(options), directory.resolve("result-" + attempt), null);
            if (!String.valueOf(result.get("invalid_reason")).contains("the generator")) {
                return result;
            }
        }
        return abort("the machine held up the generator in every one of " + ATTEMPTS + " runs");
    }

    /** Skips a test except in the long run, because other tests of the lab cover its parts. */
    private static void assumeSoak() {
        assumeTrue(Boolean.getBoolean("larder.soak"), "takes long: in the long run (-Psoak) only");
    }

    private static void assumeRedis() {
        assumeTrue(RedisServer.isInstalled(), "there is no redis-server to put under load");
    }

    /** Sends one command as a person would, and returns the first line of the answer. */
    private static String say(RedisServer server, String command) {
        String[] address = server.addresses().split(":", -1);
        try (Socket socket = new Socket(address[0], Integer.parseInt(address[1]));
                BufferedReader answers =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
            socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
            return String.valueOf(answers.readLine());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Runs an action once the first load runs. */
    private CompletableFuture<Void> duringTheLoad(Runnable action) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        return OtherThread.run(() -> {
            while (!loadRuns()) {
                assertThat(System.nanoTime()).as("no load has begun").isLessThan(end);
                pause(20);
            }
            pause(500);
            action.run();
        });
    }

    private boolean loadRuns() {
        try (Stream<Path> files = Files.walk(directory, 3)) {
            return files.anyMatch(file -> file.getParent() != null
                    && file.getParent().endsWith("loads")
                    && file.getFileName().toString().startsWith("001-"));
        } catch (IOException | UncheckedIOException e) {
            return false;
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void assertRow(Figures row) {
        List<String> names = ROW_OF_A_LOAD.stream()
                .filter(name -> !name.equals("longest_pause_ms")) // a redis-server reports none
                .toList();
        assertThat(row.names()).containsSubsequence(names).contains("percentiles");
        assertThat(row.number("answered_per_s")).isPositive();
        assertThat(row.number("p99_us")).isGreaterThanOrEqualTo(row.number("p50_us"));
        assertThat(row.whole("errors")).isZero();
    }

    @Test
    @Tag(Effort.LONG)
    void leavesAResultWithEveryFigureOfTheLab() throws IOException, InterruptedException {
        assumeRedis();
        Figures result = runInTime("--target start --rate 200,500");
        assertThat(exitCode).as(said()).isEqualTo(LabRun.EXIT_OK);
        assertThat(result.rows("runs")).hasSize(6).allSatisfy(LoadExperimentTest::assertRow);
        assertThat(result.rows("runs"))
                .extracting(row -> row.text("operation"))
                .containsExactly("all", "get", "put", "all", "get", "put");
        Figures first = result.rows("runs").getFirst();
        assertThat(first.number("offered_per_s")).isBetween(100.0, 300.0);
        assertThat(first.number("cpu_cores")).isNotNegative();
        assertThat(first.whole("memory_bytes")).isGreaterThan(1 << 20);
        assertThat(first.rows("timeline")).hasSize(10);
        assertThat(result.text("server")).startsWith("redis ");
        assertFolder(result);
    }

    private void assertFolder(Figures result) throws IOException, InterruptedException {
        try (Stream<Path> folders = Files.list(directory)) {
            Path folder = folders.sorted().toList().getLast();
            assertThat(Files.readAllLines(folder.resolve("samples.jsonl"))).hasSize(2);
            assertThat(folder.resolve("load-percentiles-all.svg")).isNotEmptyFile();
            assertThat(folder.resolve("load-by-rate-redis.svg")).isNotEmptyFile();
            assertThat(folder.resolve("load-timeline-2.svg")).isNotEmptyFile();
            assertThat(folder.resolve("report.html")).content().contains("Response time by percentile");
            assertThat(ReportCheck.problemsIfInstalled(folder.resolve("report.html"), directory))
                    .isEmpty();
            assertThat(folder.resolve("data")).doesNotExist();
            AtomicLong responses = new AtomicLong();
            Path load = folder.resolve(result.rows("runs").getFirst().text("directory"));
            Responses.read(load.resolve("responses"), (segment, offset, length) -> responses.incrementAndGet());
            assertThat(responses.get()).isEqualTo(result.rows("runs").getFirst().whole("requests"));
            assertThat(load.resolve("responses.hlog")).isNotEmptyFile();
            assertThat(Files.readString(folder.resolve("result.json"))).doesNotContain(directory.toString());
        }
    }

    @Test
    void aValueThatSomebodyElseHasWrittenMakesTheRunVoid() {
        assumeRedis();
        try (RedisServer server = RedisServer.start(directory.resolve("redis"))) {
            say(server, "SET mine untouched");
            CompletableFuture<Void> intruder =
                    duringTheLoad(() -> IntStream.range(0, 10).forEach(i -> {
                        say(server, "SET larder-lab:5 wrong");
                        pause(50);
                    }));
            Figures result = run("--rate 500 --keys 10 --seconds 2 --target " + server.addresses());
            intruder.join();
            assertThat(exitCode).isEqualTo(LabRun.EXIT_INVALID);
            assertThat(result.text("invalid_reason"))
                    .contains("requests failed, or got a wrong answer; the first: key 5 holds 5 bytes instead of 100");
            assertThat(result.rows("runs").getFirst().whole("errors")).isPositive();
            assertThat(say(server, "GET mine")).isEqualTo("$9");
            assertThat(say(server, "DBSIZE"))
                    .as("the keys of the load are deleted")
                    .isEqualTo(":1");
        }
    }

    @Test
    @Tag(Effort.LONG)
    void everyRequestOfAStopOfTheServerCounts() {
        assumeRedis();
        try (RedisServer server = RedisServer.start(directory.resolve("redis"))) {
            CompletableFuture<Void> stopped = duringTheLoad(() -> {
                Signals.send("STOP", server.pids().getFirst());
                pause(1_000);
                Signals.send("CONT", server.pids().getFirst());
            });
            Figures result = run("--arrivals constant --rate 1000 --seconds 3 --keep --target " + server.addresses());
            stopped.join();
            Figures all = result.rows("runs").getFirst();
            assertThat(all.whole("requests")).isEqualTo(3_000);
            assertThat(all.whole("errors")).isZero();
            assertThat(all.whole("unanswered")).isZero();
            assertThat(late(directory.resolve("result").resolve(all.text("directory"))))
                    .isGreaterThan(800L);
            assertThat(all.number("max_us")).isGreaterThan(900_000);
            assertThat(say(server, "DBSIZE")).as("the keys are kept").isEqualTo(":100");
        }
    }

    private static long late(Path load) {
        AtomicLong late = new AtomicLong();
        Responses.read(load.resolve("responses"), (segment, offset, length) -> {
            if (Response.answered(segment, offset) - Response.intended(segment, offset) > 50_000_000) {
                late.incrementAndGet();
            }
        });
        return late.get();
    }

    @Test
    @Tag(Effort.LONG)
    void aServerThatIsKilledMakesTheRunVoid() {
        assumeRedis();
        try (RedisServer server = RedisServer.start(directory.resolve("redis"))) {
            CompletableFuture<Void> killed =
                    duringTheLoad(() -> Signals.send("KILL", server.pids().getFirst()));
            Figures result = run("--rate 500 --seconds 2 --target " + server.addresses());
            killed.join();
            assertThat(exitCode).isEqualTo(LabRun.EXIT_INVALID);
            assertThat(result.text("invalid_reason")).contains("requests failed");
            assertThat(said()).contains("cannot delete the keys larder-lab:*");
        }
    }

    @Test
    @Tag(Effort.LONG)
    void aClusterIsLoaded() {
        assumeSoak();
        assumeRedis();
        assumeTrue(SystemCommand.find("redis-cli").isPresent(), "there is no redis-cli to make a cluster with");
        Figures result = run("--target start --cluster --rate 500");
        assertThat(result.rows("runs")).hasSize(3).allSatisfy(LoadExperimentTest::assertRow);
    }

    @Test
    void aKnownTargetShowsWhatTheInstrumentIsWorth() {
        assumeSoak();
        Figures result = runInTime("--target known:delays --rate 500 --seconds 2");
        Figures all = result.rows("runs").getFirst();
        assertThat(all.number("p50_us")).isGreaterThan(result.part("theory").number("p50_us") * 0.8);
        assertThat(result.part("theory").number("p50_us")).isBetween(846.0, 847.0);
        assertThat(all.rows("pauses")).isNotNull();
    }

    /** A busy machine may move the edge down, never up; {@code SweepTest} tests how near it is on a quiet machine. */
    @Test
    @Tag(Effort.LONG)
    void aSweepEndsWhereATargetSaturates() {
        assumeSoak();
        Figures result = run("--target known:capacity=3000 --sweep");
        assertThat(result.part("saturation_per_s").number("known-capacity"))
                .isPositive()
                .isLessThan(3_500.0);
        List<Figures> tried = result.part("sweep").rows("tried");
        assertThat(tried).anyMatch(LoadExperimentTest::isTooMuch);
        assertThat(tried).filteredOn(row -> row.number("rate_per_s") > 3_500).allMatch(LoadExperimentTest::isTooMuch);
        assertThat(result.rows("runs")).hasSize(6);
        double half = result.rows("runs").getFirst().number("rate_per_s");
        assertThat(result.rows("runs").getLast().number("rate_per_s")).isBetween(half * 1.9, half * 2.1);
    }

    /** Returns whether a rate is too high for the target or, on a busy machine, for the generator. */
    private static boolean isTooMuch(Figures attempt) {
        return attempt.flag("saturated") || attempt.flag("generator_late");
    }

    @Test
    @Tag(Effort.LONG)
    void recordedArrivalsAreReplayed() throws IOException {
        assumeSoak();
        Path file = directory.resolve("arrivals.txt");
        Files.write(
                file,
                IntStream.range(0, 300)
                        .mapToObj(i -> String.valueOf(7 + i / 200.0))
                        .toList());
        LoadOptions options = Settings.parse(
                LoadOptions.class, "--target", "echo", "--quick", "--arrivals", "replay", "--replay", file.toString());
        Figures all =
                run(options, directory.resolve("result"), null).rows("runs").getFirst();
        assertThat(all.whole("requests")).isEqualTo(300);
        assertThat(all.number("offered_per_s")).isBetween(199.0, 201.0);
    }

    @Test
    void finishedLoadsOfAnInterruptedRunAreKept() throws IOException {
        assumeSoak();
        LoadOptions options = LoadOptionsTest.options("--target known:delays --rate 100,200");
        Path folder = directory.resolve("result");
        Figures first = run(options, folder, "r1").rows("runs").getFirst();
        assumeTrue(first.flag("valid"), "the machine held up the generator");
        Files.delete(folder.resolve("result.json"));
        Path samples = folder.resolve("samples.jsonl");
        Files.writeString(samples, Files.readAllLines(samples).getFirst() + "\n");
        Figures again = run(options, folder, "r1");
        assertThat(said()).contains("continuing an earlier run");
        assertThat(again.rows("runs").getFirst()).isEqualTo(first);
        assertThat(again.rows("runs")).hasSize(6);
        for (Figures row :
                List.of(again.rows("runs").getFirst(), again.rows("runs").get(3))) {
            assertThat(folder.resolve(row.text("directory"))).isDirectory();
        }
        Figures other = run(options, folder, "r2");
        assertThat(other.rows("runs").getFirst()).isNotEqualTo(first);
    }

    @Test
    void responsesOfSomebodyElseAreRefusedAndStay() throws IOException {
        Path loads = Files.createDirectories(directory.resolve("result").resolve("loads"));
        Path mine = Files.writeString(loads.resolve("mine"), "mine");
        assertThatThrownBy(() -> run("--target echo --rate 100"))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("loads exists, and larder lab did not create it");
        assertThat(mine).hasContent("mine");
    }

    @Test
    void anInterruptedRunDeletesItsKeys() throws IOException, InterruptedException {
        assumeRedis();
        try (RedisServer server = RedisServer.start(directory.resolve("redis"))) {
            List<String> command = new ArrayList<>(JavaProcess.command(64L << 20, Larder.class));
            command.addAll(List.of("lab", "load", "--target", server.addresses(), "--rate", "200", "--seconds", "60"));
            command.addAll(List.of(
                    "--keys", "100", "--out", directory.resolve("result").toString()));
            Process lab = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(directory.resolve("lab.log").toFile())
                    .start();
            duringTheLoad(() -> Signals.send("TERM", lab.pid())).join();
            lab.waitFor();
            assertThat(say(server, "DBSIZE"))
                    .as(Files.readString(directory.resolve("lab.log")))
                    .isEqualTo(":0");
        }
    }
}
