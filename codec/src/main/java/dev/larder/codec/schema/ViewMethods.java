package dev.larder.codec.schema;

import dev.larder.codec.Schema;
import dev.larder.codec.Schema.Component;
import dev.larder.codec.SchemaMismatchException;
import dev.larder.codec.SchemaType.Simple;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle.AccessMode;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The methods of a view. Each is a load or a store at the fixed place of a component in the messages of a schema. */
public final class ViewMethods {

    private static final MethodHandle SEGMENT = Handles.virtual(Place.class, "segment", MemorySegment.class);
    private static final MethodHandle OFFSET = Handles.virtual(Place.class, "offset", long.class, long.class);
    private static final MethodHandle SELF = Handles.virtual(Place.class, "self", Object.class);

    /** The place of a view. */
    public static final class Place {

        MemorySegment segment = MemorySegment.NULL;
        long offset;
        private @Nullable Object self;

        MemorySegment segment() {
            return segment;
        }

        long offset(long at) {
            return offset + at;
        }

        @Nullable
        Object self() {
            return self;
        }
    }

    private final Schema written;
    private final String origin;
    private final Place place = new Place();
    private final Map<String, Integer> offsets = new LinkedHashMap<>();
    private final int fixedBytes;

    public ViewMethods(Schema written, String origin) {
        this.written = written;
        this.origin = origin;
        int at = 0;
        for (Component component : written.main().components()) {
            if (!(component.type() instanceof Simple simple) || !simple.isPrimitive()) {
                break;
            }
            offsets.put(component.name(), at);
            at += simple.bytes;
        }
        this.fixedBytes = at;
    }

    public Place place() {
        return place;
    }

    /** Returns the bytes of the components that have a fixed place. */
    public int fixedBytes() {
        return fixedBytes;
    }

    /** Returns whether all components have a fixed place. */
    public boolean isFixed() {
        return offsets.size() == written.main().components().size();
    }

    /** Returns the getters of an interface, in the order of their names. */
    public static List<Method> getters(Class<?> type) {
        if (!type.isInterface() || type.isSealed()) {
            throw new IllegalArgumentException(
                    type.getName() + " is not an interface that a generated class can implement");
        }
        List<Method> getters = CallableMethods.abstractOf(type).stream()
                .filter(method -> method.getParameterCount() == 0)
                .sorted(Comparator.comparing(Method::getName))
                .toList();
        getters.forEach(ViewMethods::typeOf);
        CallableMethods.abstractOf(type).forEach(method -> requireKnown(method, type, getters));
        return getters;
    }

    /** Returns the type of the component that a getter reads. */
    public static Simple typeOf(Method getter) {
        for (Simple simple : Simple.values()) {
            if (simple.isPrimitive() && Handles.primitive(simple) == getter.getReturnType()) {
                return simple;
            }
        }
        throw new IllegalArgumentException(getter.getDeclaringClass().getName() + ": component " + getter.getName()
                + " is of type " + getter.getReturnType().getTypeName() + ", which has no fixed size in bytes;"
                + " the eight primitive types have");
    }

    private static void requireKnown(Method method, Class<?> type, List<Method> getters) {
        boolean known = getters.contains(method) || isSetter(method, type, getters);
        if (!known) {
            throw new IllegalArgumentException(type.getName() + ": method " + method.getName()
                    + CallableMethods.parameters(method) + " neither reads a component nor sets one");
        }
    }

    private static boolean isSetter(Method method, Class<?> type, List<Method> getters) {
        boolean returns =
                method.getReturnType() == void.class || method.getReturnType().isAssignableFrom(type);
        return returns
                && method.getParameterCount() == 1
                && getters.stream()
                        .anyMatch(getter -> getter.getName().equals(method.getName())
                                && getter.getReturnType() == method.getParameterTypes()[0]);
    }

    public <T> T implement(Class<T> type, List<Method> getters, Lookup lookup) {
        Map<Method, MethodHandle> handles = new LinkedHashMap<>();
        for (Method method : CallableMethods.abstractOf(type)) {
            handles.put(method, getters.contains(method) ? getter(method) : setter(method));
        }
        try {
            T view = MadeClass.implementing(type, handles, lookup);
            place.self = view;
            return view;
        } catch (IllegalAccessException e) {
            throw Lookups.refused(type, e);
        }
    }

    private MethodHandle getter(Method method) {
        Integer at = at(method.getName(), typeOf(method));
        return at == null
                ? MethodHandles.zero(method.getReturnType())
                : placed(access(typeOf(method), AccessMode.GET), at);
    }

    private MethodHandle setter(Method method) {
        Simple type = Arrays.stream(Simple.values())
                .filter(simple -> simple.isPrimitive() && Handles.primitive(simple) == method.getParameterTypes()[0])
                .findFirst()
                .orElseThrow();
        Integer at = at(method.getName(), type);
        MethodHandle setter = at == null
                ? MethodHandles.empty(MethodType.methodType(void.class, method.getParameterTypes()))
                : placed(access(type, AccessMode.SET), at);
        return method.getReturnType() == void.class
                ? setter
                : MethodHandles.filterReturnValue(setter, SELF.bindTo(place));
    }

    /** Returns the offset of a component; null if messages of this schema do not have it. */
    private @Nullable Integer at(String name, Simple type) {
        for (Component component : written.main().components()) {
            if (component.name().equals(name)) {
                return at(component, type);
            }
        }
        return null;
    }

    private Integer at(Component component, Simple type) {
        if (!component.type().equals(type)) {
            throw new SchemaMismatchException("component " + component.name() + " of " + written.main()
                    + " is of type \"" + type + "\" in this program and of type \"" + component.type() + "\" in "
                    + origin);
        }
        Integer at = offsets.get(component.name());
        if (at == null) {
            throw new SchemaMismatchException("component " + component.name() + " of " + written.main()
                    + " has no fixed place in " + origin + ": it stands behind one that has no fixed size");
        }
        return at;
    }

    /**
     * Returns a load or a store of a type: {@code (MemorySegment, long) -> T} or {@code (MemorySegment, long, T) -> void}.
     */
    private static MethodHandle access(Simple type, AccessMode mode) {
        ValueLayout layout = switch (type) {
            case BOOLEAN -> ValueLayout.JAVA_BOOLEAN;
            case BYTE -> ValueLayout.JAVA_BYTE;
            case SHORT -> LittleEndian.SHORT;
            case CHAR -> LittleEndian.CHAR;
            case INT -> LittleEndian.INT;
            case LONG -> LittleEndian.LONG;
            case FLOAT -> LittleEndian.FLOAT;
            case DOUBLE -> LittleEndian.DOUBLE;
            default -> throw new AssertionError(type);
        };
        return layout.varHandle().toMethodHandle(mode);
    }

    /** Returns an access at an offset from the view's place. */
    private MethodHandle placed(MethodHandle access, long at) {
        MethodHandle offset = MethodHandles.insertArguments(OFFSET.bindTo(place), 0, at);
        return MethodHandles.collectArguments(
                MethodHandles.collectArguments(access, 1, offset), 0, SEGMENT.bindTo(place));
    }
}
