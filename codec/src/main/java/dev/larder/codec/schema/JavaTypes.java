package dev.larder.codec.schema;

import dev.larder.codec.Schema;
import dev.larder.codec.Schema.Component;
import dev.larder.codec.Schema.Definition;
import dev.larder.codec.SchemaType;
import dev.larder.codec.SchemaType.Choice;
import dev.larder.codec.SchemaType.Many;
import dev.larder.codec.SchemaType.Maybe;
import dev.larder.codec.SchemaType.Pairs;
import dev.larder.codec.SchemaType.Simple;
import dev.larder.codec.SchemaType.Struct;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/** The names of Java's types in schemas, and the schema of a record, of a view or of a method. */
public final class JavaTypes {

    private static final Map<Class<?>, SchemaType> SIMPLE = Map.ofEntries(
            Map.entry(boolean.class, Simple.BOOLEAN),
            Map.entry(byte.class, Simple.BYTE),
            Map.entry(short.class, Simple.SHORT),
            Map.entry(char.class, Simple.CHAR),
            Map.entry(int.class, Simple.INT),
            Map.entry(long.class, Simple.LONG),
            Map.entry(float.class, Simple.FLOAT),
            Map.entry(double.class, Simple.DOUBLE),
            Map.entry(Boolean.class, new Maybe(Simple.BOOLEAN)),
            Map.entry(Byte.class, new Maybe(Simple.BYTE)),
            Map.entry(Short.class, new Maybe(Simple.SHORT)),
            Map.entry(Character.class, new Maybe(Simple.CHAR)),
            Map.entry(Integer.class, new Maybe(Simple.INT)),
            Map.entry(Long.class, new Maybe(Simple.LONG)),
            Map.entry(Float.class, new Maybe(Simple.FLOAT)),
            Map.entry(Double.class, new Maybe(Simple.DOUBLE)),
            Map.entry(OptionalInt.class, new Maybe(Simple.INT)),
            Map.entry(OptionalLong.class, new Maybe(Simple.LONG)),
            Map.entry(OptionalDouble.class, new Maybe(Simple.DOUBLE)),
            Map.entry(Instant.class, new Maybe(Simple.INSTANT)),
            Map.entry(Duration.class, new Maybe(Simple.DURATION)),
            Map.entry(LocalDate.class, new Maybe(Simple.DATE)),
            Map.entry(LocalTime.class, new Maybe(Simple.TIME)),
            Map.entry(UUID.class, new Maybe(Simple.UUID)),
            Map.entry(BigDecimal.class, new Maybe(Simple.DECIMAL)),
            Map.entry(String.class, Simple.TEXT),
            Map.entry(byte[].class, Simple.BYTES));

    private final Map<Class<?>, SchemaType> named = new HashMap<>();
    private final List<Definition> definitions = new ArrayList<>();

    private JavaTypes() {}

    /** Returns the schema of a record. */
    public static Schema ofRecord(Class<?> type) {
        JavaTypes types = new JavaTypes();
        types.define(type);
        return Schema.of(types.definitions);
    }

    /** Returns the schema of a method's calls. */
    public static Schema ofMethod(Method method) {
        JavaTypes types = new JavaTypes();
        Definition definition = new Definition(Definition.METHOD, method.getName(), new ArrayList<>());
        types.definitions.add(definition);
        for (Parameter parameter : method.getParameters()) {
            SchemaType type = types.of(parameter.getParameterizedType(), method + ": parameter " + parameter.getName());
            definition.components().add(new Component(parameter.getName(), type));
        }
        return Schema.of(types.definitions);
    }

    /** Returns the type of a component. */
    public static SchemaType ofComponent(ComponentsCode.Wanted component) {
        return new JavaTypes().of(component.generic(), component.name());
    }

    private Struct define(Class<?> type) {
        Definition definition = new Definition(Definition.RECORD, nameOf(type), new ArrayList<>());
        Struct struct = new Struct(definition.name());
        named.put(type, struct); // registered before its components, which may be of the same type
        definitions.add(definition);
        for (RecordComponent component : type.getRecordComponents()) {
            SchemaType of = of(component.getGenericType(), type.getName() + ": component " + component.getName());
            definition.components().add(new Component(component.getName(), of));
        }
        return struct;
    }

    private Choice constants(Class<?> type) {
        List<Component> names = new ArrayList<>();
        for (Object constant : type.getEnumConstants()) {
            names.add(new Component(((Enum<?>) constant).name(), Simple.TEXT));
        }
        if (names.size() > Short.MAX_VALUE) {
            throw new IllegalArgumentException(
                    type.getName() + " has " + names.size() + " constants, at most " + Short.MAX_VALUE);
        }
        Choice choice = new Choice(nameOf(type));
        definitions.add(new Definition(Definition.ENUM, choice.name(), names));
        return choice;
    }

    /** Returns the name of a class. A number distinguishes classes with the same simple name in one schema. */
    private String nameOf(Class<?> type) {
        long others = named.keySet().stream()
                .filter(other -> other.getSimpleName().equals(type.getSimpleName()))
                .count();
        return others == 0 ? type.getSimpleName() : type.getSimpleName() + "#" + (others + 1);
    }

    private SchemaType of(Type type, String where) {
        return switch (type) {
            case Class<?> plain -> ofClass(plain, where);
            case ParameterizedType generic -> ofGeneric(generic, where);
            case WildcardType wildcard -> of(wildcard.getUpperBounds()[0], where);
            default -> throw refused(type, where);
        };
    }

    private SchemaType ofClass(Class<?> type, String where) {
        SchemaType known = SIMPLE.getOrDefault(type, named.get(type));
        if (known != null) {
            return known;
        }
        if (type.isArray()) {
            return new Many(of(type.getComponentType(), where));
        }
        if (type.isRecord() && type.getTypeParameters().length == 0) {
            return define(type);
        }
        if (!type.isEnum()) {
            throw refused(type, where);
        }
        SchemaType choice = constants(type);
        named.put(type, choice);
        return choice;
    }

    private SchemaType ofGeneric(ParameterizedType type, String where) {
        Type[] arguments = type.getActualTypeArguments();
        Type raw = type.getRawType();
        if (raw == List.class || raw == Set.class || raw == Collection.class) {
            return new Many(of(arguments[0], where));
        }
        if (raw == Map.class) {
            return new Pairs(of(arguments[0], where), of(arguments[1], where));
        }
        if (raw == Optional.class) {
            return of(arguments[0], where); // whose null means none
        }
        throw refused(type, where);
    }

    private static IllegalArgumentException refused(Type type, String where) {
        return new IllegalArgumentException(where + " is of type " + type.getTypeName()
                + ", which has no form in messages; those have: the primitive types and their boxes, String,"
                + " byte[], enums, records, arrays, List, Set, Map, Optional, Instant, Duration, LocalDate,"
                + " LocalTime, UUID, BigDecimal");
    }
}
