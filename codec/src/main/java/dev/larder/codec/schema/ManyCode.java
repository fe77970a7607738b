package dev.larder.codec.schema;

import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The code of lists, sets and arrays: a count, then the elements; -1 is null.
 *
 * @param element the code of an element
 * @param array converts a value to write into an array, of any kind
 * @param made converts an array of {@code component} into the value that is read
 */
public record ManyCode(
        ValueCode element, Class<?> component, Function<Object, Object> array, Function<Object, Object> made)
        implements ValueCode {

    /**
     * The types whose arrays can be copied at once. A boolean is not one: each JVM may lay out such an array in its own way.
     */
    private static final Map<Class<?>, ValueLayout> LAYOUTS = Map.of(
            byte.class, ValueLayout.JAVA_BYTE,
            short.class, LittleEndian.SHORT,
            char.class, LittleEndian.CHAR,
            int.class, LittleEndian.INT,
            long.class, LittleEndian.LONG,
            float.class, LittleEndian.FLOAT,
            double.class, LittleEndian.DOUBLE);

    /** Returns the code of an array whose component type equals the schema's type of its elements. */
    public static ValueCode ofArray(ValueCode element, Class<?> component) {
        ValueLayout layout = LAYOUTS.get(component);
        return layout == null
                ? new ManyCode(element, component, Function.identity(), Function.identity())
                : new NumbersCode(component, layout);
    }

    public static ManyCode ofList(ValueCode element) {
        return new ManyCode(
                element,
                Object.class,
                list -> ((Collection<?>) list).toArray(),
                array -> Collections.unmodifiableList(Arrays.asList((Object[]) array)));
    }

    public static ManyCode ofSet(ValueCode element) {
        return new ManyCode(
                element,
                Object.class,
                set -> ((Collection<?>) set).toArray(),
                array -> Collections.unmodifiableSet(new LinkedHashSet<>(Arrays.asList((Object[]) array))));
    }

    @Override
    public int lengthBytes(@Nullable Object value) {
        int length = Integer.BYTES;
        if (value != null) {
            Object elements = array.apply(value);
            int count = Array.getLength(elements);
            for (int index = 0; index < count; index++) {
                length = Math.addExact(length, element.lengthBytes(Array.get(elements, index)));
            }
        }
        return length;
    }

    @Override
    public void write(@Nullable Object value, Output output) {
        if (value == null) {
            output.putInt(-1);
            return;
        }
        Object elements = array.apply(value);
        int count = Array.getLength(elements);
        output.putInt(count);
        for (int index = 0; index < count; index++) {
            element.write(Array.get(elements, index), output);
        }
    }

    @Override
    public @Nullable Object read(Input input) {
        int count = input.getCount(1);
        if (count < 0) {
            return null;
        }
        Object elements = Array.newInstance(component, count);
        for (int index = 0; index < count; index++) {
            Array.set(elements, index, element.read(input));
        }
        return made.apply(elements);
    }

    /** The code of maps: a count, then each key and its value; -1 is null. */
    public record OfPairs(ValueCode key, ValueCode value) implements ValueCode {

        @Override
        public int lengthBytes(@Nullable Object map) {
            int length = Integer.BYTES;
            if (map != null) {
                for (Map.Entry<?, ?> pair : ((Map<?, ?>) map).entrySet()) {
                    length = Math.addExact(length, key.lengthBytes(pair.getKey()));
                    length = Math.addExact(length, value.lengthBytes(pair.getValue()));
                }
            }
            return length;
        }

        @Override
        public void write(@Nullable Object map, Output output) {
            if (map == null) {
                output.putInt(-1);
                return;
            }
            output.putInt(((Map<?, ?>) map).size());
            ((Map<?, ?>) map).forEach((left, right) -> {
                key.write(left, output);
                value.write(right, output);
            });
        }

        @Override
        public @Nullable Object read(Input input) {
            int count = input.getCount(2);
            if (count < 0) {
                return null;
            }
            Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
            for (int index = 0; index < count; index++) {
                map.put(key.read(input), value.read(input));
            }
            return Collections.unmodifiableMap(map);
        }
    }
}
