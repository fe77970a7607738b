package dev.larder.tests;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.conditions.ArchPredicates.are;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleDescriptor.Exports;
import java.lang.module.ModuleDescriptor.Requires;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules of the house that the compiler does not enforce. */
class HouseRulesTest {
    /** In order from the ground up: a module may use those before it. */
    private static final List<String> MODULES = List.of(
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
            "cli",
            "serve",
            "lab");

    private static final Path ROOT = Path.of(System.getProperty("larder.root"));

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .importPaths(MODULES.stream().map(HouseRulesTest::classesOf).toList());

    @Test
    void shouldUseOnlyModulesFurtherDown() {
        for (int level = 0; level < MODULES.size() - 1; level++) {
            String[] above = MODULES.stream()
                    .skip(level + 1L)
                    .map(HouseRulesTest::packageOf)
                    .toArray(String[]::new);
            noClasses()
                    .that()
                    .resideInAPackage(packageOf(MODULES.get(level)))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage(above)
                    .allowEmptyShould(true)
                    .check(CLASSES);
        }
    }

    /** The packages below a root are its rooms. Some are exported to the layers above, none to users. */
    @ParameterizedTest
    @ValueSource(
            strings = {
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
                "cli"
            })
    void shouldExportItsRootAlone(String module) throws IOException {
        assertThat(descriptorOf(module).exports())
                .filteredOn(export -> !export.isQualified())
                .extracting(Exports::source)
                .containsExactlyInAnyOrderElementsOf(
                        module.equals("memory")
                                ? List.of("dev.larder.memory", "dev.larder.memory.region")
                                : List.of("dev.larder." + nameOf(module)));
    }

    @Test
    void shouldNotReachPastThePlatform() {
        noClasses()
                .should()
                .dependOnClassesThat(nameMatching("(sun\\.misc|jdk\\.internal|java\\.io\\.Object(In|Out)putStream).*"))
                .check(CLASSES);
    }

    @Test
    void shouldCallNativeCodeFromMemoryAlone() {
        noClasses()
                .that(are(not(resideInAPackage(packageOf("memory")))))
                .should()
                .dependOnClassesThat(nameMatching("java\\.lang\\.foreign\\.(Linker|SymbolLookup)(\\$.*)?"))
                .orShould()
                .callMethod(java.lang.foreign.MemorySegment.class, "reinterpret", long.class)
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    @Test
    void shouldNameThingsForWhatTheyAre() {
        noClasses()
                .should()
                .haveNameMatching(".*(Impl|Utils?|Manager|Helper)(\\$.*)?")
                .check(CLASSES);
    }

    /** The common pool has one thread on a machine with two processors, see {@code OtherThread}. */
    @ParameterizedTest
    @ValueSource(strings = {"classes", "test-classes"})
    void shouldNotRunTasksInTheCommonPool(String kind) {
        noClasses()
                .should()
                .callMethod(CompletableFuture.class, "runAsync", Runnable.class)
                .orShould()
                .callMethod(CompletableFuture.class, "supplyAsync", Supplier.class)
                .check(new ClassFileImporter()
                        .importPaths(MODULES.stream()
                                .map(module -> classesOf(module).resolveSibling(kind))
                                .toList()));
    }

    @Test
    void shouldMarkNativeCallsInMemoryAlone() throws IOException {
        for (String module : MODULES.subList(1, MODULES.size())) {
            assertThat(sourcesContaining(module, "\"restricted\"")).isEmpty();
        }
        assertThat(sourcesContaining("memory", "\"restricted\"")).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"memory", "codec", "log", "queue", "map", "resp"})
    void shouldNeedNothingButThePlatformAtRunTime(String module) throws IOException {
        assertThat(descriptorOf(module).requires())
                .filteredOn(required -> !required.modifiers().contains(Requires.Modifier.STATIC))
                .extracting(Requires::name)
                .allMatch(
                        name -> name.startsWith("java.") || name.startsWith("jdk.") || name.startsWith("dev.larder."));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
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
                "cli",
                "serve",
                "lab"
            })
    void shouldMarkTheWholeModuleForNullness(String module) throws IOException {
        assertThat(ROOT.resolve(module).resolve("src/main/java/module-info.java"))
                .content()
                .contains("@NullMarked");
    }

    private static Path classesOf(String module) {
        return ROOT.resolve(module).resolve(System.getProperty("larder.classes"));
    }

    /** Returns the name of a module's package and module descriptor behind {@code dev.larder}. */
    private static String nameOf(String module) {
        return module.equals("codec-jackson") ? "jackson" : module;
    }

    private static String packageOf(String module) {
        return "dev.larder." + nameOf(module) + "..";
    }

    private static ModuleDescriptor descriptorOf(String module) throws IOException {
        try (InputStream bytes = Files.newInputStream(classesOf(module).resolve("module-info.class"))) {
            return ModuleDescriptor.read(bytes);
        }
    }

    private static List<Path> sourcesContaining(String module, String text) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main"))) {
            return files.filter(Files::isRegularFile)
                    .filter(file -> contains(file, text))
                    .toList();
        }
    }

    private static boolean contains(Path file, String text) {
        try {
            return Files.readString(file).contains(text);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
