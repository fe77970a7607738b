package dev.larder.array;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The rooms of the array. To exchange Ratis, one of them has to be rewritten. */
final class RoomsTest {

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("dev.larder.array");

    @Test
    void shouldNameRatisInOneRoom() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.larder.array.ratis")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.apache.ratis..")
                .check(CLASSES);
    }

    @Test
    void shouldNameSocketsInTheLinksAlone() {
        noClasses()
                .that()
                .resideOutsideOfPackage("dev.larder.array.link")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.netty..")
                .check(CLASSES);
    }

    /** A plan depends only on the arguments of the planner. */
    @Test
    void shouldPlanWithoutClockFilesThreadsAndChance() {
        noClasses()
                .that()
                .resideInAPackage("dev.larder.array.plan")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("java.time..", "java.io..", "java.nio..", "java.net..", "java.util.concurrent..")
                .orShould()
                .dependOnClassesThat()
                .haveNameMatching("java\\.(util\\..*Random.*|lang\\.(Thread|Process|System|Math\\$Random.*))")
                .orShould()
                .callMethod(Math.class, "random")
                .check(CLASSES);
    }

    @Test
    void shouldNameOnlyRoomsFurtherDown() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("root")
                .definedBy("dev.larder.array")
                .layer("barrier")
                .definedBy("dev.larder.array.barrier")
                .layer("link")
                .definedBy("dev.larder.array.link")
                .layer("entry")
                .definedBy("dev.larder.array.entry")
                .layer("plan")
                .definedBy("dev.larder.array.plan")
                .layer("slots")
                .definedBy("dev.larder.array.slots")
                .layer("form")
                .definedBy("dev.larder.array.form")
                .layer("stripe")
                .definedBy("dev.larder.array.stripe")
                .layer("pull")
                .definedBy("dev.larder.array.pull")
                .layer("ratis")
                .definedBy("dev.larder.array.ratis")
                .layer("node")
                .definedBy("dev.larder.array.node")
                .layer("meta")
                .definedBy("dev.larder.array.meta")
                .whereLayer("barrier")
                .mayOnlyBeAccessedByLayers("plan", "ratis", "node", "root")
                .whereLayer("link")
                .mayOnlyBeAccessedByLayers("root")
                .whereLayer("entry")
                .mayOnlyBeAccessedByLayers("stripe", "node")
                .whereLayer("plan")
                .mayOnlyBeAccessedByLayers("meta", "form", "node", "root")
                .whereLayer("meta")
                .mayOnlyBeAccessedByLayers("form", "node", "root")
                .whereLayer("form")
                .mayOnlyBeAccessedByLayers("node", "root")
                .whereLayer("slots")
                .mayOnlyBeAccessedByLayers("ratis", "meta", "node", "root")
                .whereLayer("stripe")
                .mayOnlyBeAccessedByLayers("ratis", "pull", "node", "root")
                .whereLayer("pull")
                .mayOnlyBeAccessedByLayers("root")
                .whereLayer("ratis")
                .mayOnlyBeAccessedByLayers("node", "root")
                .whereLayer("node")
                .mayOnlyBeAccessedByLayers("root")
                .check(CLASSES);
    }

    @Test
    void shouldMarkEachRoomForNullness() {
        classes()
                .that()
                .haveSimpleName("package-info")
                .should()
                .beAnnotatedWith("org.jspecify.annotations.NullMarked")
                .check(CLASSES);
    }
}
