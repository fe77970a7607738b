package dev.larder.codec.schema;

import dev.larder.codec.Schema;
import dev.larder.codec.Schema.Component;
import dev.larder.codec.Schema.Definition;
import dev.larder.codec.SchemaMismatchException;
import dev.larder.codec.SchemaType;
import dev.larder.codec.SchemaType.Choice;
import dev.larder.codec.SchemaType.Many;
import dev.larder.codec.SchemaType.Maybe;
import dev.larder.codec.SchemaType.Pairs;
import dev.larder.codec.SchemaType.Simple;
import dev.larder.codec.SchemaType.Struct;
import dev.larder.codec.TypedValue;
import dev.larder.codec.schema.ComponentsCode.Wanted;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.reflect.Array;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A factory of the codes for values of one schema, as types of the program. If the program has no such types, the values are
 * {@code Object}s of the kinds that JSON has; see {@link TypedValue}.
 */
public final class ValueCodes {

    private final Map<String, Definition> definitions;
    private final @Nullable Lookup lookup;
    private final String origin;
    private final Map<Type, Map<String, MaybeCode.Later>> inTheMaking = new HashMap<>();
    private final ComponentsCode components = new ComponentsCode(this);

    /**
     * Makes the codes of a schema.
     *
     * @param lookup the access to the types of the program
     * @param origin names the schema in errors
     */
    public ValueCodes(Schema schema, @Nullable Lookup lookup, String origin) {
        this.definitions = schema.definitions();
        this.lookup = lookup;
        this.origin = origin;
    }

    public ComponentsCode components() {
        return components;
    }

    /** Returns the code of the schema's own record, without a byte for null. */
    public ValueCode ofMain(Class<?> type) {
        return type == Object.class ? mapOf(main()) : recordOf(main(), type);
    }

    private Definition main() {
        return definitions.values().iterator().next();
    }

    private ValueCode recordOf(Definition definition, Class<?> type) {
        Lookup able = lookup == null || !sees(lookup, type) ? Lookups.of(type) : lookup;
        return components.ofRecord(type, definition.components(), able, definition.toString());
    }

    private static boolean sees(Lookup lookup, Class<?> type) {
        try {
            return lookup.accessClass(type) == type;
        } catch (IllegalAccessException e) {
            return false;
        }
    }

    private ValueCode mapOf(Definition definition) {
        Map<String, ValueCode> codes = new LinkedHashMap<>();
        definition.components().forEach(component -> codes.put(component.name(), of(component.type(), Object.class)));
        return new MapCode(codes);
    }

    /** Throws if a component is written as another type than the program's. */
    public void requireSame(Component written, Wanted wanted, String where) {
        String type = JavaTypes.ofComponent(wanted).toString();
        if (!shape(written.type().toString()).equals(shape(type))) {
            throw new SchemaMismatchException("component " + written.name() + " of " + where + " is of type \"" + type
                    + "\" in this program and of type \"" + written.type() + "\" in " + origin);
        }
    }

    /** Returns a type without the names of its records and enums. They may have been renamed; their contents decide. */
    private static String shape(String type) {
        return type.replaceAll("(record|enum) \\S+", "$1");
    }

    /** Returns the value of a component that a message lacks; null stands for null or zero. */
    public static @Nullable Object missing(Class<?> type) {
        if (type.isArray()) {
            return Array.newInstance(type.getComponentType(), 0);
        }
        return switch (type.getName()) {
            case "java.util.List", "java.util.Collection" -> List.of();
            case "java.util.Set" -> Set.of();
            case "java.util.Map" -> Map.of();
            case "java.util.Optional" -> Optional.empty();
            case "java.util.OptionalInt" -> OptionalInt.empty();
            case "java.util.OptionalLong" -> OptionalLong.empty();
            case "java.util.OptionalDouble" -> OptionalDouble.empty();
            default -> null;
        };
    }

    /** Returns the code of values that are written as one type and have another type in the program. */
    public ValueCode of(SchemaType written, Type type) {
        if (type instanceof WildcardType wildcard) {
            return of(written, wildcard.getUpperBounds()[0]);
        }
        if (type instanceof ParameterizedType generic && generic.getRawType() == Optional.class) {
            return optional(of(written, generic.getActualTypeArguments()[0]));
        }
        return switch (written) {
            case Simple simple -> type == Object.class ? JsonForm.of(simple) : SimpleCode.of(simple);
            case Maybe maybe -> optionalNumber(new MaybeCode(of(maybe.value(), type)), type);
            case Many many -> many(many, type);
            case Pairs pairs -> map(pairs, type);
            case Choice choice -> choice(choice, type);
            case Struct struct -> struct(struct, type);
        };
    }

    private ValueCode map(Pairs pairs, Type type) {
        ValueCode map = new ManyCode.OfPairs(of(pairs.key(), argument(type, 0)), of(pairs.value(), argument(type, 1)));
        return type == Object.class && pairs.key() != Simple.TEXT ? JsonForm.pairs(map) : map;
    }

    private static Type argument(Type type, int index) {
        return type instanceof ParameterizedType generic ? generic.getActualTypeArguments()[index] : Object.class;
    }

    private static ValueCode optional(ValueCode kept) {
        return new MaybeCode.Converted(
                kept,
                value -> value == null ? null : ((Optional<?>) value).orElse(null),
                value -> value == null ? Optional.empty() : Optional.of(value));
    }

    private static ValueCode optionalNumber(ValueCode kept, Type type) {
        return switch (type.getTypeName()) {
            case "java.util.OptionalInt" ->
                new MaybeCode.Converted(
                        kept,
                        value -> value instanceof OptionalInt number && number.isPresent() ? number.getAsInt() : null,
                        value -> value == null ? OptionalInt.empty() : OptionalInt.of((Integer) value));
            case "java.util.OptionalLong" ->
                new MaybeCode.Converted(
                        kept,
                        value -> value instanceof OptionalLong number && number.isPresent() ? number.getAsLong() : null,
                        value -> value == null ? OptionalLong.empty() : OptionalLong.of((Long) value));
            case "java.util.OptionalDouble" ->
                new MaybeCode.Converted(
                        kept,
                        value -> value instanceof OptionalDouble number && number.isPresent()
                                ? number.getAsDouble()
                                : null,
                        value -> value == null ? OptionalDouble.empty() : OptionalDouble.of((Double) value));
            default -> kept;
        };
    }

    private ValueCode many(Many many, Type type) {
        if (type instanceof Class<?> array && array.isArray()) {
            return ManyCode.ofArray(of(many.element(), array.getComponentType()), array.getComponentType());
        }
        ValueCode element = of(many.element(), argument(type, 0));
        boolean isSet = type instanceof ParameterizedType generic && generic.getRawType() == Set.class;
        return isSet ? ManyCode.ofSet(element) : ManyCode.ofList(element);
    }

    private ValueCode choice(Choice choice, Type type) {
        Definition definition = defined(choice.toString());
        List<String> names =
                definition.components().stream().map(Component::name).toList();
        return type instanceof Class<?> constants && constants.isEnum()
                ? ChoiceCode.of(choice.name(), names, constants)
                : ChoiceCode.ofNames(choice.name(), names);
    }

    /** Returns the code of a record. A record may contain itself; then its code is requested while it is being made. */
    private ValueCode struct(Struct struct, Type type) {
        Map<String, MaybeCode.Later> made = inTheMaking.computeIfAbsent(type, key -> new HashMap<>());
        MaybeCode.Later known = made.get(struct.name());
        if (known != null) {
            return known;
        }
        MaybeCode.Later later = new MaybeCode.Later();
        made.put(struct.name(), later);
        Definition definition = defined(struct.toString());
        boolean isKnown = type instanceof Class<?> record && record.isRecord();
        return later.is(new MaybeCode(isKnown ? recordOf(definition, (Class<?>) type) : mapOf(definition)));
    }

    private Definition defined(String name) {
        Definition definition = definitions.get(name);
        if (definition == null) {
            throw new SchemaMismatchException(origin + " does not define " + name);
        }
        return definition;
    }

    /** The code of a record that the program does not have: a map of its components by name. */
    private record MapCode(Map<String, ValueCode> components) implements ValueCode {

        @Override
        public int lengthBytes(@Nullable Object value) {
            int length = 0;
            for (Map.Entry<String, ValueCode> component : components.entrySet()) {
                length = Math.addExact(length, component.getValue().lengthBytes(get(value, component.getKey())));
            }
            return length;
        }

        private static @Nullable Object get(@Nullable Object value, String name) {
            return value == null ? null : ((Map<?, ?>) value).get(name);
        }

        @Override
        public void write(@Nullable Object value, Output output) {
            components.forEach((name, code) -> code.write(get(value, name), output));
        }

        @Override
        public Object read(Input input) {
            Map<String, @Nullable Object> values = new LinkedHashMap<>();
            components.forEach((name, code) -> values.put(name, code.read(input)));
            return values;
        }
    }
}
