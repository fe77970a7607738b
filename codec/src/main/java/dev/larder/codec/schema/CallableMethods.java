package dev.larder.codec.schema;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The methods of an interface whose calls become messages: its abstract methods. A default method runs unchanged, and its calls
 * of abstract methods become messages too. The method {@code close} of a closeable interface closes.
 */
public final class CallableMethods {

    private CallableMethods() {}

    /** Returns the methods, in an order that does not depend on the virtual machine. */
    public static List<Method> of(Class<?> type) {
        if (!type.isInterface() || type.isSealed() || type.isHidden()) {
            throw new IllegalArgumentException(
                    type.getName() + " is not an interface that a generated class can implement");
        }
        List<Method> methods = abstractOf(type).stream()
                .filter(method -> !isClose(type, method))
                .toList();
        methods.forEach(method -> requireVoid(type, method));
        return methods;
    }

    /**
     * Returns the abstract methods of an interface, without those of {@link Object}, in an order that does not depend on the
     * virtual machine. A method that an interface inherits from two others counts as one method.
     */
    static List<Method> abstractOf(Class<?> type) {
        List<Method> sorted = Arrays.stream(type.getMethods())
                .filter(method -> Modifier.isAbstract(method.getModifiers()) && !isOfObject(method))
                .sorted(Comparator.comparing(Method::getName)
                        .thenComparing(CallableMethods::signature)
                        .thenComparing(method -> method.getDeclaringClass().getName()))
                .toList();
        Map<String, Method> bySignature = new LinkedHashMap<>();
        sorted.forEach(method -> bySignature.putIfAbsent(signature(method), method));
        return List.copyOf(bySignature.values());
    }

    private static String signature(Method method) {
        return method.getName() + parameters(method) + method.getReturnType().getTypeName();
    }

    /** Returns the method that closes; empty if the interface is not closeable. */
    public static Optional<Method> closing(Class<?> type) {
        return Arrays.stream(type.getMethods())
                .filter(method -> isClose(type, method))
                .findFirst();
    }

    private static boolean isClose(Class<?> type, Method method) {
        return AutoCloseable.class.isAssignableFrom(type)
                && method.getName().equals("close")
                && method.getParameterCount() == 0
                && Modifier.isAbstract(method.getModifiers());
    }

    /** Returns whether a method is one of {@link Object}, which an interface may declare again. */
    public static boolean isOfObject(Method method) {
        return Arrays.stream(Object.class.getMethods())
                .anyMatch(other -> other.getName().equals(method.getName())
                        && Arrays.equals(other.getParameterTypes(), method.getParameterTypes()));
    }

    private static void requireVoid(Class<?> type, Method method) {
        if (method.getReturnType() != void.class) {
            throw new IllegalArgumentException(type.getName() + ": method " + method.getName() + parameters(method)
                    + " returns " + method.getReturnType().getTypeName()
                    + ": a call that becomes a message returns nothing");
        }
    }

    public static String parameters(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .map(Class::getTypeName)
                .toList()
                .toString();
    }
}
