package dev.larder.memory.region;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.reflect.RecordComponent;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The layout of a record in bytes, and the code that reads and writes it there.
 *
 * <pre>{@code
 * record Tick(int symbol, double price, byte side)
 *
 *  0        4     8           16     17          24
 *  | symbol | gap | price     | side | gap        |     each at a multiple of its own size; the record, of the largest
 * }</pre>
 *
 * @param layout with a name for each component
 * @param reader {@code (MemorySegment, long offset) -> Record}
 * @param writer {@code (MemorySegment, long offset, Record) -> void}; leaves the gaps as they are
 */
record RecordLayout(StructLayout layout, MethodHandle reader, MethodHandle writer) {

    static RecordLayout of(Class<? extends Record> type, Lookup lookup) {
        RecordComponent[] components = type.getRecordComponents();
        if (components.length == 0) {
            throw new IllegalArgumentException(type.getName() + " has no components: its records have no bytes");
        }
        StructLayout layout = layout(type, components);
        try {
            return new RecordLayout(
                    layout, reader(type, components, layout, lookup), writer(components, layout, lookup));
        } catch (NoSuchMethodException | IllegalAccessException e) {
            throw new IllegalArgumentException(
                    type.getName() + " cannot be used from here: pass MethodHandles.lookup() of a class that can", e);
        }
    }

    private static StructLayout layout(Class<?> type, RecordComponent[] components) {
        List<MemoryLayout> fields = new ArrayList<>();
        long end = 0;
        long largest = 1;
        for (RecordComponent component : components) {
            ValueLayout field = field(type, component);
            end = padded(fields, end, field.byteSize()) + field.byteSize();
            largest = Math.max(largest, field.byteSize());
            fields.add(field);
        }
        padded(fields, end, largest);
        return MemoryLayout.structLayout(fields.toArray(MemoryLayout[]::new)).withName(type.getSimpleName());
    }

    /** Adds the gap up to a multiple of an alignment; returns that multiple. */
    private static long padded(List<MemoryLayout> fields, long end, long alignment) {
        long start = (end + alignment - 1) & -alignment;
        if (start > end) {
            fields.add(MemoryLayout.paddingLayout(start - end));
        }
        return start;
    }

    private static ValueLayout field(Class<?> type, RecordComponent component) {
        ValueLayout layout = switch (component.getType().getName()) {
            case "byte" -> ValueLayout.JAVA_BYTE;
            case "boolean" -> ValueLayout.JAVA_BOOLEAN;
            case "short" -> ValueLayout.JAVA_SHORT_UNALIGNED;
            case "char" -> ValueLayout.JAVA_CHAR_UNALIGNED;
            case "int" -> ValueLayout.JAVA_INT_UNALIGNED;
            case "long" -> ValueLayout.JAVA_LONG_UNALIGNED;
            case "float" -> ValueLayout.JAVA_FLOAT_UNALIGNED;
            case "double" -> ValueLayout.JAVA_DOUBLE_UNALIGNED;
            default ->
                throw new IllegalArgumentException(type.getName() + ": component " + component.getName()
                        + " is of type " + component.getType().getTypeName() + ", which has no fixed size in bytes;"
                        + " the eight primitive types have");
        };
        return layout.withOrder(ByteOrder.LITTLE_ENDIAN).withName(component.getName());
    }

    /** Returns the constructor, with its arguments read from the fields of one place, which is behind them until they are. */
    private static MethodHandle reader(Class<?> type, RecordComponent[] components, StructLayout layout, Lookup lookup)
            throws NoSuchMethodException, IllegalAccessException {
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        MethodHandle reader = MethodHandles.dropArguments(
                lookup.findConstructor(type, MethodType.methodType(void.class, types)),
                components.length,
                MemorySegment.class,
                long.class);
        for (int index = components.length - 1; index >= 0; index--) {
            MethodHandle field = handle(layout, components[index]).toMethodHandle(VarHandle.AccessMode.GET);
            reader = MethodHandles.foldArguments(reader, index, field);
        }
        return reader.asType(reader.type().changeReturnType(Record.class));
    }

    /** Returns the setters as one sequence, each with the value of its accessor. */
    private static MethodHandle writer(RecordComponent[] components, StructLayout layout, Lookup lookup)
            throws IllegalAccessException {
        MethodType all = MethodType.methodType(void.class, MemorySegment.class, long.class, Record.class);
        MethodHandle writer = MethodHandles.empty(all);
        for (int index = components.length - 1; index >= 0; index--) {
            MethodHandle field = handle(layout, components[index]).toMethodHandle(VarHandle.AccessMode.SET);
            MethodHandle accessor = lookup.unreflect(components[index].getAccessor());
            writer = MethodHandles.foldArguments(
                    writer, MethodHandles.filterArguments(field, 2, accessor).asType(all));
        }
        return writer;
    }

    private static VarHandle handle(StructLayout layout, RecordComponent component) {
        return layout.varHandle(PathElement.groupElement(component.getName()));
    }
}
