package dev.larder.codec.schema;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The methods of an interface whose calls become messages: those that are abstract. A default method runs as it is, and
 * so does what it calls; {@code close} of a closeable interface closes.
 */
public final class CallableMethods {

    private CallableMethods() {}

    /** Returns the methods, in an order that does not depend on the virtual machine. */
    public static List<Method> of(Class<?> type) {
        if (!type.isInterface() || type.isSealed() || type.isHidden()) {
            throw new IllegalArgumentException(type.getName() + " is not an interface that anybody may implement");
        }
        List<Method> methods = Arrays.stream(type.getMethods())
                .filter(method -> Modifier.isAbstract(method.getModifiers()))
                .filter(method -> !isOfObject(method) && !isClose(type, method))
                .sorted(Comparator.comparing(Method::getName).thenComparing(method -> parameters(method)))
                .toList();
        methods.forEach(method -> requireVoid(type, method));
        return methods;
    }

    /** Returns the method that closes, where the interface is closeable. */
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

    /** An interface may name the methods that every object has anyway. */
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
