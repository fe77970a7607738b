package dev.larder.codec.schema;

import dev.larder.codec.Codec;
import dev.larder.codec.Schema;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The codec of records of a class, or of the classes that a sealed interface permits.
 *
 * <pre>
 *  0    1        4
 *  | fd | schema | components, one after the other |
 * </pre>
 */
public final class RecordCodec<T> implements BoundCodec<T> {

    /** One of the classes, with its schema and the code that writes it by this schema. */
    private record Kind(Class<?> type, Schema schema, ValueCode code) {}

    /** The prefix of the name of a codec of one record, before the record's own name. */
    public static final String RECORD = "record:";

    /** The prefix of the name of a codec of a sealed interface. */
    public static final String RECORDS = "records:";

    private final Class<T> type;
    private final Lookup lookup;
    private final Map<String, Kind> kinds = new LinkedHashMap<>();

    /** The codes that read. A code is made once for each class and schema, regardless of the schema's queue. */
    private final Map<Schema, ValueCode> readers = new ConcurrentHashMap<>();

    public RecordCodec(Class<T> type, Lookup lookup) {
        this.type = type;
        this.lookup = lookup;
        for (Class<?> record : new LinkedHashSet<>(recordsOf(type))) { // two sealed parts may permit the same record
            Schema schema = JavaTypes.ofRecord(record);
            ValueCode code = new ValueCodes(schema, lookup, "this program").ofMain(record);
            Kind other = kinds.put(record.getSimpleName(), new Kind(record, schema, code));
            readers.put(schema, code);
            if (other != null) {
                throw new IllegalArgumentException(other.type() + " and " + record
                        + " have the same name, but messages tell records apart by name");
            }
        }
    }

    private static List<Class<?>> recordsOf(Class<?> type) {
        if (type.isRecord()) {
            return List.of(type);
        }
        if (!type.isSealed()) {
            throw new IllegalArgumentException(
                    type.getName() + " is neither a record nor a sealed interface of records");
        }
        List<Class<?>> records = new ArrayList<>();
        Arrays.stream(type.getPermittedSubclasses()).forEach(permitted -> records.addAll(recordsOf(permitted)));
        return records;
    }

    /** Returns the name, which stays the same when a sealed interface later permits more records. */
    @Override
    public String name() {
        return (type.isRecord() ? RECORD : RECORDS) + type.getSimpleName();
    }

    /** Returns whether the other codec has the same type and an equivalent lookup, so that it writes and reads the same. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RecordCodec<?> that
                && type.equals(that.type)
                && lookup.lookupClass().equals(that.lookup.lookupClass())
                && lookup.lookupModes() == that.lookup.lookupModes();
    }

    @Override
    public int hashCode() {
        return type.hashCode();
    }

    @Override
    public Codec<T> in(Schemas schemas, boolean writing) {
        return writing ? new Writing(schemas) : new Reading(schemas);
    }

    private ValueCode reader(Schemas schemas, int number) {
        Schema schema = TypedMessages.schema(schemas, number);
        Kind kind = schema.isMethod() ? null : kinds.get(schema.name());
        if (kind == null) {
            throw TypedMessages.another(schema, schemas.origin(number), kinds.keySet());
        }
        ValueCode known = readers.get(schema);
        if (known != null) {
            return known;
        }
        ValueCode made = new ValueCodes(schema, lookup, schemas.origin(number)).ofMain(kind.type());
        readers.put(schema, made);
        return made;
    }

    /** The codec of one tailer. */
    private final class Reading implements Codec<T> {

        private final Schemas schemas;
        private final Input input = new Input();
        private @Nullable ValueCode[] codes = new ValueCode[8];

        Reading(Schemas schemas) {
            this.schemas = schemas;
        }

        @Override
        public String name() {
            return RecordCodec.this.name();
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
            input.over(segment, offset, length);
            Object value = code(TypedMessages.number(input)).read(input);
            input.requireEnd();
            @SuppressWarnings("unchecked") // the code makes a value of its kind, which is a T
            T typed = (T) java.util.Objects.requireNonNull(value);
            return typed;
        }

        private ValueCode code(int number) {
            ValueCode known = number < codes.length ? codes[number] : null;
            return known == null ? learn(number) : known;
        }

        private ValueCode learn(int number) {
            ValueCode code = reader(schemas, number);
            codes = Arrays.copyOf(codes, Math.max(codes.length, number + 1));
            codes[number] = code;
            return code;
        }
    }

    /** The codec of one appender. */
    private final class Writing implements Codec<T> {

        /** A class, the mark at the start of its messages, and its code. */
        private record Written(Class<?> type, int mark, ValueCode code) {}

        private final Written[] written;
        private final Output output = Output.claimed();

        Writing(Schemas schemas) {
            written = kinds.values().stream()
                    .map(kind -> new Written(kind.type(), Schemas.mark(schemas.numberOf(kind.schema())), kind.code()))
                    .toArray(Written[]::new);
        }

        private Written of(T value) { // an array, since a list's iterator would cost one object per message
            for (Written kind : written) {
                if (kind.type() == value.getClass()) {
                    return kind;
                }
            }
            throw new IllegalArgumentException(value.getClass().getName() + " is no " + type.getName());
        }

        @Override
        public String name() {
            return RecordCodec.this.name();
        }

        @Override
        public int lengthBytes(T value) {
            return Math.addExact(Schemas.MARK_BYTES, of(value).code().lengthBytes(value));
        }

        @Override
        public void write(T value, MemorySegment segment, long offset, int length) {
            Written kind = of(value);
            output.over(segment, offset, length).putInt(kind.mark());
            kind.code().write(value, output);
            output.requireFull();
        }

        @Override
        public T read(MemorySegment segment, long offset, int length) {
            throw new UnsupportedOperationException("this codec writes");
        }
    }
}
