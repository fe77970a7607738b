package dev.larder.tests.redis;

import dev.larder.tests.redis.TestResult.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The command {@code tests/redis/suite}. */
public final class RedisSuite {

    /** The units by which Larder is measured. */
    static final List<String> UNITS = List.of(
            "unit/protocol",
            "unit/keyspace",
            "unit/scan",
            "unit/expire",
            "unit/type/string",
            "unit/type/incr",
            "unit/type/stream",
            "unit/type/stream-cgroups",
            "unit/multi",
            "unit/pubsub",
            "unit/pubsubshard",
            "unit/auth",
            "unit/acl",
            "unit/querybuf",
            "unit/obuf-limits",
            "unit/bitops",
            "unit/bitfield",
            "unit/tracking",
            "unit/other");

    private static final List<String> USAGE = List.of(
            "tests/redis/suite run [options] [unit ...]   runs units, by default all that Larder is measured by",
            "  --server redis|larder     what stands in the place of redis-server; larder by default",
            "  --command COMMAND         what starts Larder's server; the clone's ./larder serve by default",
            "  --only NAME               only the test of this name, or with /PATTERN those that match; may be"
                    + " repeated",
            "  --all                     shows the tests that passed as well",
            "  --uncounted               runs the tests that do not count as well; they may spoil the next ones",
            "  --results FILE            writes a line for each test",
            "  --patience SECONDS        how long a test may say nothing; 60 by default",
            "  --keep                    keeps the folder of the run, with the logs of the servers in tests/tmp",
            "tests/redis/suite list [--commands FILE] [unit ...]   records the commands of each test, prints the list",
            "tests/redis/suite page --results FILE --reference FILE   prints the page of results");

    private static final List<String> HEADER = List.of(
            "The tests of Redis 7.0.15 in the units that Larder is measured by: unit | name | whether it counts | why"
                    + " not",
            "A test counts if Larder offers every command that it sends, or names in rules of an ACL:"
                    + " resp/.../commands.txt.",
            "The commands were recorded while redis-server 7.0.15 ran the suite: tests/redis/suite list. A test whose"
                    + " block",
            "began with a command that is not offered does not count either, nor does one with a replica.");

    private final Path home;
    private final Map<String, String> options = new HashMap<>();
    private final List<String> suiteOptions = new ArrayList<>();
    private final List<String> operands = new ArrayList<>();

    private RedisSuite(Path home) {
        this.home = home;
    }

    /**
     * Runs a command.
     *
     * @param arguments this module's folder, then the arguments of the command
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        RedisSuite suite = new RedisSuite(Path.of(arguments[0]));
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly)));
        System.exit(suite.run(List.of(arguments).subList(1, arguments.length)));
    }

    private int run(List<String> arguments) throws IOException, InterruptedException {
        if (arguments.isEmpty() || !parse(arguments.subList(1, arguments.size()))) {
            USAGE.forEach(System.err::println);
            return 2;
        }
        return switch (arguments.getFirst()) {
            case "run" -> runUnits();
            case "list" -> listTests();
            case "page" -> writePage();
            default -> {
                USAGE.forEach(System.err::println);
                yield 2;
            }
        };
    }

    private boolean parse(List<String> arguments) {
        for (int i = 0; i < arguments.size(); i++) {
            String argument = arguments.get(i);
            switch (argument) {
                case "--all", "--keep", "--uncounted" -> options.put(argument, "yes");
                case "--server", "--command", "--commands", "--results", "--reference", "--patience" -> {
                    if (++i == arguments.size()) {
                        return false;
                    }
                    options.put(argument, arguments.get(i));
                }
                case "--only" -> {
                    if (++i == arguments.size()) {
                        return false;
                    }
                    suiteOptions.addAll(List.of("--only", arguments.get(i)));
                }
                default -> {
                    if (argument.startsWith("-")) {
                        return false;
                    }
                    operands.add(argument.startsWith("unit/") ? argument : "unit/" + argument);
                }
            }
        }
        return true;
    }

    private Path suiteFolder() throws IOException, InterruptedException {
        return SuiteFolder.fetch(home).orElseThrow(() -> new IOException("the tests of Redis cannot be fetched"));
    }

    private SuiteRun suiteRun(String server, TestList tests) throws IOException, InterruptedException {
        String command = Optional.ofNullable(options.get("--command"))
                .orElse(home.resolve("../../larder").toAbsolutePath().normalize() + " serve");
        return new SuiteRun(
                suiteFolder(),
                home,
                server,
                server.equals("larder") ? SuiteFolder.environmentOf(command) : Map.of(),
                suiteOptions,
                tests,
                Duration.ofSeconds(Long.parseLong(options.getOrDefault("--patience", "60"))),
                options.containsKey("--keep"));
    }

    private List<String> units() {
        return operands.isEmpty() ? UNITS : operands;
    }

    private int runUnits() throws IOException, InterruptedException {
        TestList list = TestList.read(home.resolve("tests.txt"));
        String server = options.getOrDefault("--server", "larder");
        boolean all = options.containsKey("--all");
        List<TestResult> results = new ArrayList<>();
        Judgement judgement = new Judgement(list);
        for (String unit : units()) {
            List<TestResult> ofUnit = suiteRun(server, options.containsKey("--uncounted") ? new TestList() : list)
                    .run(List.of(unit), result -> {});
            List<TestResult> complete = suiteOptions.isEmpty() ? judgement.complete(unit, ofUnit) : ofUnit;
            complete.stream()
                    .filter(result -> all || (!result.isOk() && judgement.matters(result)))
                    .forEach(System.out::println);
            System.out.println("# " + unit + ": " + judgement.summary(complete));
            results.addAll(complete);
        }
        TestList exceptions = TestList.read(home.resolve("exceptions.txt"));
        results.stream()
                .filter(result -> server.equals("larder") && result.isOk() && exceptions.contains(result.test()))
                .forEach(result -> System.out.println("# passes, and is no exception any more: " + result.test()));
        System.out.println("# " + server + ": " + judgement.summary(results));
        if (options.containsKey("--results")) {
            Files.write(
                    Path.of(options.get("--results")),
                    results.stream().map(TestResult::toString).toList(),
                    StandardCharsets.UTF_8);
        }
        return results.stream().allMatch(result -> result.isOk() || !judgement.matters(result)) ? 0 : 1;
    }

    private int listTests() throws IOException, InterruptedException {
        Set<String> known = ReferenceCommands.list();
        Set<String> offered = dev.larder.resp.CommandTable.standard().all().stream()
                .flatMap(command -> Stream.concat(Stream.of(command), command.subcommands().stream()))
                .map(dev.larder.resp.Command::name)
                .collect(Collectors.toSet());
        CommandLog log = new CommandLog(known);
        List<TestResult> results = suiteRun("redis", new TestList())
                .record(units(), result -> report(result), log, (command, reply) -> {});
        Map<TestName, String> lines = new LinkedHashMap<>();
        for (TestResult result : results) {
            if (!result.test().name().equals(SuiteRun.BETWEEN)) {
                lines.put(result.test(), verdict(result, log, known, offered));
            }
        }
        long counted = lines.values().stream().filter("yes"::equals).count();
        HEADER.forEach(line -> System.out.println("# " + line));
        System.out.println("# " + counted + " of " + lines.size() + " tests count.");
        lines.forEach((test, verdict) -> System.out.println(test + " | " + verdict));
        if (options.containsKey("--commands")) {
            Files.write(
                    Path.of(options.get("--commands")),
                    lines.keySet().stream()
                            .map(test -> test + " | " + String.join(" ", log.of(test)))
                            .toList(),
                    StandardCharsets.UTF_8);
        }
        return 0;
    }

    private int writePage() throws IOException {
        if (!options.keySet().containsAll(Set.of("--results", "--reference"))) {
            USAGE.forEach(System.err::println);
            return 2;
        }
        ResultPage page = new ResultPage(
                TestList.read(home.resolve("tests.txt")),
                TestList.read(home.resolve("exceptions.txt")),
                TestList.read(Path.of(options.get("--results"))),
                TestList.read(Path.of(options.get("--reference"))));
        page.lines(LocalDate.now(ZoneOffset.UTC).toString()).forEach(System.out::println);
        return 0;
    }

    private static void report(TestResult result) {
        if (!result.isOk()) {
            System.err.println(result);
        }
    }

    private static String verdict(TestResult result, CommandLog log, Set<String> known, Set<String> offered) {
        if (result.outcome() == Outcome.IGNORED) {
            return "no | not run: " + result.message();
        }
        Set<String> sent = missing(log.of(result.test()), known, offered);
        return sent.isEmpty() ? "yes" : "no | " + String.join(" ", sent);
    }

    private static Set<String> missing(Set<String> commands, Set<String> known, Set<String> offered) {
        Set<String> missing = new TreeSet<>(commands);
        missing.retainAll(new HashSet<>(known));
        missing.removeAll(offered);
        return missing;
    }
}
