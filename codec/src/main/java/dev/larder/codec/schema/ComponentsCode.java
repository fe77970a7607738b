package dev.larder.codec.schema;

import dev.larder.codec.Schema.Component;
import dev.larder.codec.SchemaMismatchException;
import dev.larder.codec.SchemaType.Simple;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The code of the components of a record, or of the parameters of a method. It is composed of handles, so primitive values are
 * never boxed.
 *
 * <pre>
 * written   | price | size | note |         in the order of the message's schema
 * wanted    new Trade(size, price, venue)   venue is missing: null; note is skipped
 * </pre>
 */
public final class ComponentsCode {

    /** A component as the program declares it. */
    public record Wanted(String name, Class<?> type, Type generic) {

        public static List<Wanted> of(RecordComponent[] components) {
            return Arrays.stream(components)
                    .map(component -> new Wanted(component.getName(), component.getType(), component.getGenericType()))
                    .toList();
        }

        public static List<Wanted> of(Parameter[] parameters) {
            return Arrays.stream(parameters)
                    .map(parameter ->
                            new Wanted(parameter.getName(), parameter.getType(), parameter.getParameterizedType()))
                    .toList();
        }
    }

    private final ValueCodes codes;

    public ComponentsCode(ValueCodes codes) {
        this.codes = codes;
    }

    /** Returns the code of a record of the program, whose components are written as in a schema's definition. */
    public ValueCode ofRecord(Class<?> type, List<Component> written, Lookup lookup, String where) {
        RecordComponent[] components = type.getRecordComponents();
        List<Wanted> wanted = Wanted.of(components);
        try {
            List<MethodHandle> accessors = new ArrayList<>();
            for (RecordComponent component : components) {
                accessors.add(accessor(component, lookup));
            }
            MethodHandle reader = reader(constructor(type, wanted, lookup), written, wanted, where);
            boolean same =
                    names(written).equals(wanted.stream().map(Wanted::name).toList());
            return made(
                    reader,
                    same ? lengths(written, wanted, accessors) : none(int.class, Object.class),
                    same ? writer(written, wanted, accessors) : none(void.class, Object.class, Output.class));
        } catch (IllegalAccessException | NoSuchMethodException e) {
            throw Lookups.refused(type, e);
        }
    }

    /** Returns a code that only writes: each component is the result of an accessor of the value. */
    public ValueCode ofAccessors(List<Component> written, List<Wanted> wanted, List<MethodHandle> accessors) {
        return made(
                none(Object.class, Input.class),
                lengths(written, wanted, accessors),
                writer(written, wanted, accessors));
    }

    /** Returns a handle that always throws, for an operation that this code never performs. */
    private static MethodHandle none(Class<?> result, Class<?>... parameters) {
        MethodHandle none =
                MethodHandles.throwException(result, AssertionError.class).bindTo(new AssertionError());
        return MethodHandles.dropArguments(none, 0, parameters);
    }

    private static List<String> names(List<Component> components) {
        return components.stream().map(Component::name).toList();
    }

    private static MethodHandle accessor(RecordComponent component, Lookup lookup) throws IllegalAccessException {
        MethodHandle accessor = lookup.unreflect(component.getAccessor());
        return accessor.asType(MethodType.methodType(component.getType(), Object.class));
    }

    private static MethodHandle constructor(Class<?> type, List<Wanted> wanted, Lookup lookup)
            throws IllegalAccessException, NoSuchMethodException {
        Class<?>[] types = wanted.stream().map(Wanted::type).toArray(Class<?>[]::new);
        MethodHandle constructor = lookup.findConstructor(type, MethodType.methodType(void.class, types));
        return constructor.asType(constructor.type().changeReturnType(Object.class));
    }

    private MethodHandle lengths(List<Component> written, List<Wanted> wanted, List<MethodHandle> accessors) {
        int fixed = 0;
        List<MethodHandle> lengths = new ArrayList<>();
        for (int index = 0; index < wanted.size(); index++) {
            if (written.get(index).type() instanceof Simple simple && simple.isPrimitive()) {
                fixed += simple.bytes;
            } else {
                MethodHandle length = Handles.length(
                        code(written.get(index), wanted.get(index)),
                        wanted.get(index).type());
                lengths.add(MethodHandles.filterReturnValue(accessors.get(index), length));
            }
        }
        return Handles.sum(fixed, lengths, Object.class);
    }

    /** Returns {@code (Object, Output) -> void}, which writes one component after the other. */
    private MethodHandle writer(List<Component> written, List<Wanted> wanted, List<MethodHandle> accessors) {
        MethodType type = MethodType.methodType(void.class, Object.class, Output.class);
        MethodHandle writer = MethodHandles.empty(type);
        for (int index = wanted.size() - 1; index >= 0; index--) {
            MethodHandle component = writer(written.get(index), wanted.get(index));
            MethodHandle accessed = MethodHandles.filterArguments(component, 1, accessors.get(index));
            writer = MethodHandles.foldArguments(writer, MethodHandles.permuteArguments(accessed, type, 1, 0));
        }
        return writer;
    }

    /** Returns {@code (Output, T) -> void} of one component. */
    public MethodHandle writer(Component written, Wanted wanted) {
        return written.type() instanceof Simple simple && simple.isPrimitive()
                ? Handles.writer(simple)
                : Handles.writer(code(written, wanted), wanted.type());
    }

    private ValueCode code(Component written, Wanted wanted) {
        return codes.of(written.type(), wanted.generic());
    }

    private MethodHandle reader(Component written, Wanted wanted) {
        return written.type() instanceof Simple simple && simple.isPrimitive()
                ? Handles.reader(simple)
                : Handles.reader(code(written, wanted), wanted.type());
    }

    /**
     * Returns {@code (Input) -> R}, which reads the components as written and passes the wanted ones to a target.
     *
     * @throws SchemaMismatchException if a component is written as another type than the wanted one
     */
    public MethodHandle reader(MethodHandle target, List<Component> written, List<Wanted> wanted, String where) {
        Map<String, Integer> places = new HashMap<>();
        wanted.forEach(component -> places.put(component.name(), places.size()));
        MethodHandle reader = withDefaults(target, wanted, names(written));
        int[] shifted = placesLeft(wanted, names(written));
        for (int index = written.size() - 1; index >= 0; index--) {
            Component component = written.get(index);
            Integer place = places.get(component.name());
            if (place == null) {
                ValueCode skipped = codes.of(component.type(), Object.class);
                reader = MethodHandles.foldArguments(reader, Handles.skipping(skipped));
            } else {
                codes.requireSame(component, wanted.get(place), where);
                MethodHandle read = reader(component, wanted.get(place));
                reader = MethodHandles.collectArguments(reader, 1 + shifted[place], read);
            }
        }
        return Handles.oneInput(reader);
    }

    /** Returns a target that takes an input first, then only those wanted components that were written. */
    private static MethodHandle withDefaults(MethodHandle target, List<Wanted> wanted, List<String> written) {
        MethodHandle reader = target;
        for (int place = wanted.size() - 1; place >= 0; place--) {
            if (!written.contains(wanted.get(place).name())) {
                Class<?> type = wanted.get(place).type();
                MethodHandle missing = Handles.constant(type, ValueCodes.missing(type));
                reader = MethodHandles.collectArguments(reader, place, missing);
            }
        }
        return MethodHandles.dropArguments(reader, 0, Input.class);
    }

    /** Returns the place of each wanted component among the wanted components that were written. */
    private static int[] placesLeft(List<Wanted> wanted, List<String> written) {
        int[] places = new int[wanted.size()];
        int next = 0;
        for (int place = 0; place < places.length; place++) {
            places[place] = next;
            next += written.contains(wanted.get(place).name()) ? 1 : 0;
        }
        return places;
    }

    /** Returns the code as an object whose handles are constants. */
    private static ValueCode made(MethodHandle reader, MethodHandle length, MethodHandle writer) {
        try {
            Map<Method, MethodHandle> handles = new LinkedHashMap<>();
            handles.put(ValueCode.class.getDeclaredMethod("lengthBytes", Object.class), length);
            handles.put(ValueCode.class.getDeclaredMethod("write", Object.class, Output.class), writer);
            handles.put(ValueCode.class.getDeclaredMethod("read", Input.class), reader);
            return MadeClass.implementing(ValueCode.class, handles, Handles.OWN);
        } catch (IllegalAccessException | NoSuchMethodException e) {
            throw new LinkageError("the methods of our own interfaces", e);
        }
    }
}
