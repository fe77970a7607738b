package dev.larder.codec.schema;

import dev.larder.codec.SchemaMismatchException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The code of enums: the index of the constant in the schema, -1 for null.
 *
 * @param names the constants of the schema, in their order
 * @param constants the constants of this program, by name
 * @param nameOf returns the name of a constant
 */
public record ChoiceCode(
        String choice,
        List<String> names,
        Map<String, Object> constants,
        Map<String, Short> indexes,
        Function<Object, String> nameOf)
        implements ValueCode {

    public static ChoiceCode of(String choice, List<String> names, Class<?> type) {
        Map<String, Object> constants = new HashMap<>();
        for (Object constant : type.getEnumConstants()) {
            constants.put(((Enum<?>) constant).name(), constant);
        }
        return new ChoiceCode(choice, names, constants, indexes(names), constant -> ((Enum<?>) constant).name());
    }

    /** Returns the code whose values are the names themselves, for an enum that the program does not have. */
    public static ChoiceCode ofNames(String choice, List<String> names) {
        Map<String, Object> constants = new HashMap<>();
        names.forEach(name -> constants.put(name, name));
        return new ChoiceCode(choice, names, constants, indexes(names), Object::toString);
    }

    private static Map<String, Short> indexes(List<String> names) {
        Map<String, Short> indexes = new HashMap<>();
        names.forEach(name -> indexes.put(name, (short) indexes.size()));
        return indexes;
    }

    @Override
    public int lengthBytes(@Nullable Object value) {
        return Short.BYTES;
    }

    @Override
    public void write(@Nullable Object value, Output output) {
        output.putShort(value == null ? -1 : index(nameOf.apply(value)));
    }

    private short index(String name) {
        Short index = indexes.get(name);
        if (index == null) {
            throw new IllegalArgumentException("enum " + choice + " has no constant " + name + " but " + names);
        }
        return index;
    }

    @Override
    public @Nullable Object read(Input input) {
        int index = input.getShort();
        return index == -1 ? null : constant(index);
    }

    private Object constant(int index) {
        if (index < 0 || index >= names.size()) {
            throw new SchemaMismatchException(
                    "it has constant " + index + " of enum " + choice + ", which has " + names.size());
        }
        Object constant = constants.get(names.get(index));
        if (constant == null) {
            throw new SchemaMismatchException("it has the constant " + names.get(index) + " of enum " + choice
                    + ", which this program does not have");
        }
        return constant;
    }
}
