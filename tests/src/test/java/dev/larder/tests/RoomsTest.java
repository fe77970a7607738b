package dev.larder.tests;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The rooms of a module: its packages, in an order from the ground up. A room names only those before it.
 *
 * <p>The root package has two floors. Its <i>leaf types</i> (options, reports, errors, handlers) name only leaf types and the
 * rooms below {@code leaf}; every room above may name them. The other types are its <i>face</i>, which no room before it names.
 * The floor of a type follows from the names in it, so there is no list to maintain.
 */
class RoomsTest {

    private static final int FILES_MAX = 40;
    private static final String LEAF = "leaf";
    private static final String FACE = "face";

    private static final Map<String, List<String>> ROOMS = Map.of(
            "memory",
            List.of(LEAF, "portable", "linux", FACE, "region", "raw"),
            "log",
            List.of(
                    "format",
                    LEAF,
                    "layer",
                    "shared",
                    "segment",
                    "write",
                    "retain",
                    "sync",
                    "background",
                    "context",
                    "append",
                    "read",
                    "open",
                    FACE,
                    "random"),
            "queue",
            List.of(LEAF, "connection", FACE),
            "map",
            List.of("format", LEAF, "shared", "index", "entry", "checkpoint", "clean", FACE, "pending"),
            "server",
            List.of(
                    "stream",
                    "store",
                    "dump",
                    LEAF,
                    "config",
                    "command",
                    "access",
                    "push",
                    "client",
                    "session",
                    "local",
                    "transport",
                    "operate",
                    FACE),
            "cli",
            List.of(LEAF, FACE, "output", "entry", "shell", "map", "queue", "top"));

    private static final Path ROOT = Path.of(System.getProperty("larder.root"));

    @ParameterizedTest
    @ValueSource(strings = {"memory", "log", "queue", "map", "server", "cli"})
    void shouldNameOnlyRoomsFurtherDown(String module) {
        List<String> order = orderOf(module);
        Set<JavaClass> classes = classesOf(module);
        Set<String> leaves = leaves(module, classes, order);
        Set<String> wrong = new TreeSet<>();
        for (JavaClass from : classes) {
            int floor = floor(module, from, leaves, order);
            for (JavaClass to : named(module, from)) {
                if (floor(module, to, leaves, order) > floor) {
                    wrong.add(room(module, from, leaves) + ": " + from.getSimpleName() + " names "
                            + room(module, to, leaves) + ": " + to.getSimpleName());
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void shouldHaveRoomsOfAtMostFortyFiles() throws IOException {
        for (String module : List.of(
                "memory",
                "codec",
                "codec-jackson",
                "log",
                "queue",
                "map",
                "lucene",
                "micrometer",
                "resp",
                "server",
                "cli")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
                Map<Path, Long> sizes = files.filter(file -> file.toString().endsWith(".java"))
                        .filter(file -> !file.toString().endsWith("-info.java"))
                        .collect(Collectors.groupingBy(Path::getParent, Collectors.counting()));
                assertThat(sizes).allSatisfy((room, size) -> assertThat(size).isLessThanOrEqualTo(FILES_MAX));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "log", "queue", "map", "server", "cli"})
    void shouldSayTheRuleOfEachRoom(String module) {
        Path root = ROOT.resolve(module).resolve("src/main/java/dev/larder").resolve(module);
        assertThat(orderOf(module))
                .filteredOn(room -> !room.equals(LEAF) && !room.equals(FACE))
                .allSatisfy(room -> assertThat(root.resolve(room).resolve("package-info.java"))
                        .content()
                        .contains("/**"));
    }

    private static List<String> orderOf(String module) {
        return Objects.requireNonNull(ROOMS.get(module));
    }

    private static Set<JavaClass> classesOf(String module) {
        Path classes = ROOT.resolve(module).resolve(System.getProperty("larder.classes"));
        return new ClassFileImporter()
                .importPath(classes).stream()
                        .filter(type -> !type.getSimpleName().endsWith("-info"))
                        .collect(Collectors.toSet());
    }

    /** Returns the root's types that name nothing above the leaf floor. */
    private static Set<String> leaves(String module, Set<JavaClass> classes, List<String> order) {
        Set<String> leaves = classes.stream()
                .filter(type -> roomName(module, type).isEmpty())
                .map(RoomsTest::outermost)
                .collect(Collectors.toCollection(HashSet::new));
        int before;
        do {
            before = leaves.size();
            classes.stream()
                    .filter(type -> leaves.contains(outermost(type)))
                    .filter(type -> named(module, type).stream()
                            .anyMatch(to -> floor(module, to, leaves, order) > order.indexOf(LEAF)))
                    .toList()
                    .forEach(type -> leaves.remove(outermost(type)));
        } while (leaves.size() < before);
        return leaves;
    }

    private static Set<JavaClass> named(String module, JavaClass from) {
        return from.getDirectDependenciesFromSelf().stream()
                .map(Dependency::getTargetClass)
                .map(JavaClass::getBaseComponentType)
                .filter(to -> isOf(module, to) && !outermost(to).equals(outermost(from)))
                .collect(Collectors.toSet());
    }

    private static boolean isOf(String module, JavaClass type) {
        String root = "dev.larder." + module;
        return type.getPackageName().equals(root) || type.getPackageName().startsWith(root + ".");
    }

    private static int floor(String module, JavaClass type, Set<String> leaves, List<String> order) {
        int floor = order.indexOf(room(module, type, leaves));
        assertThat(floor).as(type.getName() + " lies in no known room").isNotNegative();
        return floor;
    }

    private static String room(String module, JavaClass type, Set<String> leaves) {
        String name = roomName(module, type);
        return !name.isEmpty() ? name : leaves.contains(outermost(type)) ? LEAF : FACE;
    }

    private static String roomName(String module, JavaClass type) {
        String root = "dev.larder." + module;
        return type.getPackageName().equals(root) ? "" : type.getPackageName().substring(root.length() + 1);
    }

    private static String outermost(JavaClass type) {
        String name = type.getName();
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }
}
