package dev.larder.codec.schema;

import dev.larder.codec.SchemaType.Simple;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The method handles of inputs, outputs and codes, of which the code of a record or a method is composed. */
public final class Handles {

    public static final Lookup OWN = MethodHandles.lookup();

    private static final MethodHandle ADD = find("add", int.class, int.class, int.class);
    private static final MethodHandle LENGTH = virtual(ValueCode.class, "lengthBytes", int.class, Object.class);
    private static final MethodHandle WRITE = virtual(ValueCode.class, "write", void.class, Object.class, Output.class);
    private static final MethodHandle READ = virtual(ValueCode.class, "read", Object.class, Input.class);
    private static final MethodHandle SKIP = find("skip", void.class, ValueCode.class, Input.class);

    private Handles() {}

    @SuppressWarnings("UnusedMethod") // by its name, above
    private static int add(int left, int right) {
        return Math.addExact(left, right);
    }

    @SuppressWarnings("UnusedMethod") // by its name, above
    private static void skip(ValueCode code, Input input) {
        Object skipped = code.read(input);
        assert skipped == null || skipped != input;
    }

    public static MethodHandle find(String name, Class<?> result, Class<?>... parameters) {
        return find(Handles.class, name, result, parameters);
    }

    /** Returns a static method of this module. */
    public static MethodHandle find(Class<?> type, String name, Class<?> result, Class<?>... parameters) {
        try {
            return OWN.findStatic(type, name, MethodType.methodType(result, parameters));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(name, e);
        }
    }

    /** Returns an instance method of this module, which takes its object first. */
    public static MethodHandle virtual(Class<?> type, String name, Class<?> result, Class<?>... parameters) {
        try {
            return OWN.findVirtual(type, name, MethodType.methodType(result, parameters));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(name, e);
        }
    }

    /** Returns {@code (Input) -> T} of a primitive type. */
    public static MethodHandle reader(Simple type) {
        Class<?> primitive = primitive(type);
        return virtual(Input.class, "get" + capital(primitive), primitive);
    }

    /** Returns {@code (Output, T) -> void} of a primitive type. */
    public static MethodHandle writer(Simple type) {
        Class<?> primitive = primitive(type);
        return virtual(Output.class, "put" + capital(primitive), void.class, primitive);
    }

    public static Class<?> primitive(Simple type) {
        return switch (type) {
            case BOOLEAN -> boolean.class;
            case BYTE -> byte.class;
            case SHORT -> short.class;
            case CHAR -> char.class;
            case INT -> int.class;
            case LONG -> long.class;
            case FLOAT -> float.class;
            case DOUBLE -> double.class;
            default -> throw new AssertionError(type);
        };
    }

    private static String capital(Class<?> primitive) {
        String name = primitive.getName();
        return Character.toUpperCase(name.charAt(0)) + name.substring(1);
    }

    /** Returns {@code (Input) -> T}. */
    public static MethodHandle reader(ValueCode code, Class<?> type) {
        return READ.bindTo(code).asType(MethodType.methodType(type, Input.class));
    }

    /** Returns {@code (Output, T) -> void}. */
    public static MethodHandle writer(ValueCode code, Class<?> type) {
        MethodHandle writer = WRITE.bindTo(code).asType(MethodType.methodType(void.class, type, Output.class));
        return MethodHandles.permuteArguments(writer, MethodType.methodType(void.class, Output.class, type), 1, 0);
    }

    /** Returns {@code (T) -> int}. */
    public static MethodHandle length(ValueCode code, Class<?> type) {
        return LENGTH.bindTo(code).asType(MethodType.methodType(int.class, type));
    }

    /** Returns {@code (Input) -> void}, which skips a value. */
    public static MethodHandle skipping(ValueCode code) {
        return SKIP.bindTo(code);
    }

    /** Returns {@code (V) -> int}, the sum of a number and of the results of handles of that kind. */
    public static MethodHandle sum(int fixed, List<MethodHandle> lengths, Class<?> type) {
        MethodHandle sum = MethodHandles.dropArguments(MethodHandles.constant(int.class, fixed), 0, type);
        for (MethodHandle length : lengths) {
            MethodHandle both = MethodHandles.filterArguments(ADD, 0, sum, length);
            sum = MethodHandles.permuteArguments(both, MethodType.methodType(int.class, type), 0, 0);
        }
        return sum;
    }

    /** Returns {@code (Input) -> R} for a target whose parameters are all inputs: it passes one input to all of them. */
    public static MethodHandle oneInput(MethodHandle target) {
        int[] places = new int[target.type().parameterCount()];
        MethodType type = MethodType.methodType(target.type().returnType(), Input.class);
        return MethodHandles.permuteArguments(target, type, places);
    }

    /** Returns a constant of a type: the given value, or null or zero. */
    public static MethodHandle constant(Class<?> type, @Nullable Object value) {
        return value == null ? MethodHandles.zero(type) : MethodHandles.constant(type, value);
    }
}
