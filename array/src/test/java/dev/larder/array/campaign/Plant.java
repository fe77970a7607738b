package dev.larder.array.campaign;

import dev.larder.array.PlantedStart;
import dev.larder.array.ratis.PlantedTail;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.MethodTransform;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Plants faults in the nodes of a run, so that the campaign has something to find. A method of a class gets another body. The
 * changed class lies ahead of the right one on the nodes' class path. The project has no hook for this.
 */
final class Plant {

    private static final String LEADER = "org.apache.ratis.server.impl.LeaderStateImpl";
    private static final String MAJORITY = LEADER + "$MinMajorityMax";
    private static final ClassDesc LONGS = ConstantDescs.CD_long.arrayType();

    private Plant() {}

    /** A leader answers reads as they come, and asks no member whether another one leads. */
    static Path readsWithoutBarrier(Path folder) {
        ClassDesc read = ClassDesc.of("dev.larder.array.barrier.WaitingRead");
        return replace(
                folder,
                "dev.larder.array.barrier.ReadBarrier",
                MethodTypeDesc.of(ConstantDescs.CD_void, ClassDesc.of("java.util.UUID"), read),
                "await",
                code -> code.aload(2)
                        .loadConstant(-1L)
                        .invokeinterface(
                                read, "confirmed", MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_long))
                        .return_());
    }

    /** An entry is committed as soon as one member has it: the index of the furthest member counts as the majority's. */
    static Path acknowledgementBeforeTheMajority(Path folder) {
        MethodTypeDesc ofAll = MethodTypeDesc.of(ConstantDescs.CD_long, LONGS);
        return replace(
                folder,
                MAJORITY,
                ofAll,
                "getMajority",
                code -> code.aload(0)
                        .invokestatic(ClassDesc.of(MAJORITY), "getMax", ofAll)
                        .lreturn());
    }

    /**
     * A leader that hears from no member continues to lead, until it hears of a later term. Ratis makes it step down after the
     * longest election timeout, about when its successor is elected. So the faults of a replaced leader would seldom show.
     */
    static Path leaderThatStays(Path folder) {
        return replace(
                folder,
                LEADER,
                MethodTypeDesc.of(ConstantDescs.CD_boolean),
                "checkLeadership",
                code -> code.loadConstant(1).ireturn());
    }

    /** A store is not taken back to its kept moment, although the entries after that moment come again. */
    static Path storesThatAreNotTakenBack(Path folder) {
        ClassDesc options = ClassDesc.of("dev.larder.map.MapOptions");
        return replace(
                folder,
                "dev.larder.server.store.Keeper",
                MethodTypeDesc.of(options, options, ConstantDescs.CD_long),
                "options",
                code -> code.aload(1).areturn());
    }

    /** A node whose folder is empty starts as if it were new. */
    static Path startWithoutFiles(Path folder) {
        MethodTypeDesc fileOf = MethodTypeDesc.of(
                ClassDesc.of("dev.larder.array.node.ArrayFile"), ClassDesc.of("dev.larder.array.ArrayOptions"));
        return callInstead(
                folder, "dev.larder.array.ArrayNode", PlantedStart.class, fileOf, "file", CodeBuilder::areturn);
    }

    /** A log with a torn tail loses entries that this member has acknowledged. */
    static Path tailsCutTooFar(Path folder) {
        MethodTypeDesc find = MethodTypeDesc.of(ConstantDescs.CD_int, ClassDesc.of("java.nio.ByteBuffer"));
        return callInstead(
                folder, "dev.larder.array.ratis.TornTail", PlantedTail.class, find, "find", CodeBuilder::ireturn);
    }

    /** A damaged log ends before the damage, as if no more had ever been written. */
    static Path logsCutAtDamage(Path folder) {
        String log = "org.apache.ratis.server.RaftServerConfigKeys$Log";
        ClassDesc policy = ClassDesc.of(log + "$CorruptionPolicy");
        return replace(
                folder,
                log,
                MethodTypeDesc.of(policy, ClassDesc.of("org.apache.ratis.conf.RaftProperties")),
                "corruptionPolicy",
                code -> code.getstatic(policy, "WARN_AND_RETURN", policy).areturn());
    }

    /** A node reads its time from {@link PlantedClock}. This is no fault of the node: the test then sets its clock. */
    static Path clocksThatStep(Path folder) {
        MethodTypeDesc time = MethodTypeDesc.of(ConstantDescs.CD_long);
        ClassDesc planted = PlantedClock.class.describeConstable().orElseThrow();
        String stripe = "dev.larder.array.stripe.StripeClock";
        for (String storage :
                List.of("dev.larder.memory.linux.LinuxStorage", "dev.larder.memory.portable.PortableStorage")) {
            replace(
                    folder,
                    storage,
                    Map.of(
                            "currentTimeMillis",
                            code -> code.invokestatic(planted, "millis", time).lreturn()),
                    time);
        }
        Consumer<CodeBuilder> latest = code -> code.invokestatic(planted, "millis", time)
                .aload(0)
                .getfield(ClassDesc.of(stripe), "entryMillis", ConstantDescs.CD_long)
                .invokestatic(
                        ClassDesc.of("java.lang.Math"),
                        "max",
                        MethodTypeDesc.of(ConstantDescs.CD_long, ConstantDescs.CD_long, ConstantDescs.CD_long))
                .lreturn();
        return replace(
                folder,
                stripe,
                Map.of(
                        "now",
                        latest,
                        "systemMillis",
                        code -> code.invokestatic(planted, "millis", time).lreturn()),
                time);
    }

    /** A member applies an entry at the member's own time, not at the entry's. */
    static Path entriesAtTheTimeOfAMember(Path folder) {
        String name = "dev.larder.array.stripe.StripeClock";
        ClassDesc clock = ClassDesc.of(name);
        return replace(
                folder,
                name,
                MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_long),
                "beginEntry",
                code -> code.aload(0)
                        .aload(0)
                        .invokespecial(clock, "now", MethodTypeDesc.of(ConstantDescs.CD_long))
                        .putfield(clock, "entryMillis", ConstantDescs.CD_long)
                        .return_());
    }

    /** Makes a static method of one argument call the method of the same name of another class. */
    private static Path callInstead(
            Path folder,
            String className,
            Class<?> planted,
            MethodTypeDesc type,
            String method,
            Consumer<CodeBuilder> returns) {
        ClassDesc other = planted.describeConstable().orElseThrow();
        return replace(
                folder,
                className,
                type,
                method,
                code -> returns.accept(code.aload(0).invokestatic(other, method, type)));
    }

    private static Path replace(
            Path folder, String className, MethodTypeDesc type, String method, Consumer<CodeBuilder> body) {
        return replace(folder, className, Map.of(method, body), type);
    }

    /** Gives methods of one type other bodies. */
    private static Path replace(
            Path folder, String className, Map<String, Consumer<CodeBuilder>> bodies, MethodTypeDesc type) {
        String resource = className.replace('.', '/') + ".class";
        AtomicInteger replaced = new AtomicInteger();
        MethodTransform other = (builder, element) -> {
            if (element instanceof CodeModel code) {
                String method = code.parent().orElseThrow().methodName().stringValue();
                builder.withCode(Objects.requireNonNull(bodies.get(method)));
                replaced.incrementAndGet();
            } else {
                builder.with(element);
            }
        };
        ClassFile files = ClassFile.of();
        try (InputStream in =
                Objects.requireNonNull(Plant.class.getClassLoader().getResourceAsStream(resource), resource)) {
            byte[] changed = files.transformClass(
                    files.parse(in.readAllBytes()),
                    ClassTransform.transformingMethods(found -> is(found, bodies.keySet(), type), other));
            if (replaced.get() != bodies.size()) {
                throw new IllegalStateException(
                        className + " has " + replaced + " methods " + bodies.keySet() + type.displayDescriptor());
            }
            Path file = folder.resolve(resource);
            Files.createDirectories(Objects.requireNonNull(file.getParent()));
            Files.write(file, changed);
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean is(MethodModel found, Set<String> methods, MethodTypeDesc type) {
        return methods.contains(found.methodName().stringValue())
                && found.methodTypeSymbol().equals(type);
    }
}
