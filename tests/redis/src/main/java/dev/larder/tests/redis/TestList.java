package dev.larder.tests.redis;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The tests of the suite, in a file with one line per test. A line that begins with {@code #} is a comment.
 *
 * <pre>
 * unit | name | the rest: whether it counts, a reason ...
 * </pre>
 */
final class TestList {

    private static final Pattern NUMBERED = Pattern.compile("(.*) \\[(\\d+)]");

    private final Map<TestName, String> tests = new LinkedHashMap<>();

    /** Reads a list. */
    static TestList read(Path file) throws IOException {
        TestList list = new TestList();
        for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                String[] fields = line.split(" \\| ", 3);
                list.put(name(fields[0], fields[1]), fields.length < 3 ? "" : fields[2]);
            }
        }
        return list;
    }

    private static TestName name(String unit, String label) {
        Matcher numbered = NUMBERED.matcher(label);
        return numbered.matches()
                ? new TestName(unit, numbered.group(1), Integer.parseInt(numbered.group(2)))
                : new TestName(unit, label, 1);
    }

    void put(TestName test, String rest) {
        tests.put(test, rest);
    }

    /** Returns the tests of a unit. */
    List<TestName> of(String unit) {
        return tests.keySet().stream().filter(test -> test.unit().equals(unit)).toList();
    }

    /** Returns the rest of a test's line, behind the name; empty if there is no line. */
    Optional<String> find(TestName test) {
        return Optional.ofNullable(tests.get(test));
    }

    boolean contains(TestName test) {
        return tests.containsKey(test);
    }

    /** Returns all tests with the rest of their lines. */
    Map<TestName, String> all() {
        return Map.copyOf(tests);
    }

    /** Returns the units, in the order of the file. */
    List<String> units() {
        return tests.keySet().stream().map(TestName::unit).distinct().toList();
    }

    /** Returns whether a test counts: it uses only what Larder offers. */
    boolean counts(TestName test) {
        return find(test)
                .map(rest -> rest.equals("yes") || rest.startsWith("yes "))
                .orElse(false);
    }

    /** Returns the names in a unit that no counting test has. */
    Set<String> namesThatDoNotCount(String unit) {
        Set<String> names = new LinkedHashSet<>();
        of(unit).forEach(test -> names.add(test.name()));
        of(unit).stream().filter(this::counts).map(TestName::name).forEach(names::remove);
        return names;
    }

    /** Writes the list below a comment. */
    void write(Path file, List<String> comment) throws IOException {
        List<String> lines = new ArrayList<>();
        comment.forEach(line -> lines.add("# " + line));
        tests.forEach((test, rest) -> lines.add(test + (rest.isEmpty() ? "" : " | " + rest)));
        Files.write(file, lines, StandardCharsets.UTF_8);
    }
}
