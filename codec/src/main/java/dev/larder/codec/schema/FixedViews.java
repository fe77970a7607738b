package dev.larder.codec.schema;

import dev.larder.codec.Codec;
import dev.larder.codec.Schema;
import dev.larder.codec.Schema.Component;
import dev.larder.codec.Schema.Definition;
import dev.larder.codec.SchemaMismatchException;
import dev.larder.codec.SchemaType.Simple;
import dev.larder.codec.ViewCodec;
import dev.larder.codec.schema.ComponentsCode.Wanted;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The codec of views of one interface. */
public final class FixedViews<T> implements BoundCodec<T>, ViewCodec<T> {

    private final Class<T> type;
    private final Lookup lookup;
    private final List<Method> getters;
    private final List<Component> components;
    private final Schema schema;
    private final ValueCode writer;

    public FixedViews(Class<T> type, Lookup lookup) {
        this.type = type;
        this.lookup = lookup;
        this.getters = ViewMethods.getters(type);
        this.components = getters.stream()
                .map(getter -> new Component(getter.getName(), ViewMethods.typeOf(getter)))
                .toList();
        this.schema = Schema.of(List.of(new Definition(Definition.RECORD, type.getSimpleName(), components)));
        this.writer = writer();
    }

    private ValueCode writer() {
        List<Wanted> wanted = getters.stream()
                .map(getter -> new Wanted(getter.getName(), getter.getReturnType(), getter.getReturnType()))
                .toList();
        try {
            List<MethodHandle> accessors = new ArrayList<>();
            for (Method getter : getters) {
                accessors.add(
                        lookup.unreflect(getter).asType(MethodType.methodType(getter.getReturnType(), Object.class)));
            }
            return new ValueCodes(schema, lookup, "this program")
                    .components()
                    .ofAccessors(components, wanted, accessors);
        } catch (IllegalAccessException e) {
            throw Lookups.refused(type, e);
        }
    }

    /** Returns the name of a record's codec, which reads the messages of this one. */
    @Override
    public String name() {
        return RecordCodec.RECORD + schema.name();
    }

    /** Returns whether the other codec has the same type and an equivalent lookup, so that it writes and reads the same. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FixedViews<?> that
                && type.equals(that.type)
                && lookup.lookupClass().equals(that.lookup.lookupClass())
                && lookup.lookupModes() == that.lookup.lookupModes();
    }

    @Override
    public int hashCode() {
        return type.hashCode();
    }

    @Override
    public T create() {
        View<T> view = view(schema, "this program");
        view.place.segment = Arena.ofAuto().allocate(Math.max(1, bodyBytes()));
        return view.object;
    }

    private int bodyBytes() {
        return components.stream()
                .mapToInt(component -> ((Simple) component.type()).bytes)
                .sum();
    }

    @Override
    public Codec<T> in(Schemas schemas, boolean writing) {
        return writing ? new Writing(Schemas.mark(schemas.numberOf(schema))) : new Reading(schemas);
    }

    /** An object of the interface, and its place. */
    private record View<T>(T object, ViewMethods.Place place, int leastBytes, boolean exact) {}

    private View<T> view(Schema written, String origin) {
        ViewMethods methods = new ViewMethods(written, origin);
        return new View<>(
                methods.implement(type, getters, lookup), methods.place(), methods.fixedBytes(), methods.isFixed());
    }

    /** The codec of one appender. */
    private final class Writing implements Codec<T> {

        private final int mark;
        private final int length = Schemas.MARK_BYTES + bodyBytes();
        private final Output output = Output.claimed();

        Writing(int mark) {
            this.mark = mark;
        }

        @Override
        public String name() {
            return FixedViews.this.name();
        }

        @Override
        public int lengthBytes(T value) {
            return length;
        }

        @Override
        public void write(T value, MemorySegment segment, long offset, int bytes) {
            output.over(segment, offset, bytes).putInt(mark);
            writer.write(value, output);
        }

        @Override
        public T read(MemorySegment segment, long offset, int bytes) {
            throw new UnsupportedOperationException("this codec writes");
        }
    }

    /** The codec of one tailer. It has one view for each schema, and moves it from message to message. */
    private final class Reading implements Codec<T> {

        private final Schemas schemas;
        private final Input input = new Input();
        private final List<@Nullable View<T>> views = new ArrayList<>();

        Reading(Schemas schemas) {
            this.schemas = schemas;
        }

        @Override
        public String name() {
            return FixedViews.this.name();
        }

        @Override
        public int lengthBytes(T value) {
            throw new UnsupportedOperationException("this codec reads");
        }

        @Override
        public void write(T value, MemorySegment segment, long offset, int length) {
            throw new UnsupportedOperationException("this codec reads");
        }

        @Override
        public T read(MemorySegment segment, long offset, int length) {
            int number = TypedMessages.number(input.over(segment, offset, length));
            View<T> view = number < views.size() ? views.get(number) : null;
            if (view == null) {
                view = learn(number);
            }
            int body = length - Schemas.MARK_BYTES;
            if (body < view.leastBytes || (view.exact && body != view.leastBytes)) {
                throw new SchemaMismatchException("it has " + body + " bytes, but its schema says " + view.leastBytes);
            }
            view.place.segment = segment;
            view.place.offset = offset + Schemas.MARK_BYTES;
            return view.object;
        }

        private View<T> learn(int number) {
            Schema written = TypedMessages.schema(schemas, number);
            if (written.isMethod() || !written.name().equals(schema.name())) {
                throw TypedMessages.another(written, schemas.origin(number), List.of(schema.name()));
            }
            View<T> view = view(written, schemas.origin(number));
            while (views.size() <= number) {
                views.add(null);
            }
            views.set(number, view);
            return view;
        }
    }

    @Override
    public String toString() {
        return "views of " + type.getName() + Arrays.toString(components.toArray());
    }
}
