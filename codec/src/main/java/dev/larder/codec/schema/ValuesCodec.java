package dev.larder.codec.schema;

import dev.larder.codec.Codec;
import dev.larder.codec.Schema;
import dev.larder.codec.TypedValue;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The codec of typed messages of any schema, for programs that do not have its types. */
public final class ValuesCodec implements BoundCodec<TypedValue> {

    /** The name of a codec of records of any schema. */
    public static final String NAME = "record";

    public static final ValuesCodec INSTANCE = new ValuesCodec();

    private ValuesCodec() {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Codec<TypedValue> in(Schemas schemas, boolean writing) {
        return new InQueue(schemas);
    }

    private static final class InQueue implements Codec<TypedValue> {

        private final Schemas schemas;
        private final Map<Schema, ValueCode> codes = new HashMap<>();
        private final Map<Schema, Integer> numbers = new HashMap<>();
        private final Input input = new Input();
        private final Output output = Output.claimed();

        InQueue(Schemas schemas) {
            this.schemas = schemas;
        }

        private synchronized ValueCode code(Schema schema) {
            return codes.computeIfAbsent(
                    schema, unknown -> new ValueCodes(unknown, null, "the schema").ofMain(Object.class));
        }

        @Override
        public String name() {
            return NAME;
        }

        /** Looks up the number of a schema once; but every time if the schema is missing and must not be stored. */
        private synchronized int number(Schema schema) {
            Integer known = numbers.get(schema);
            if (known != null) {
                return known;
            }
            int number = schemas.numberOf(schema);
            if (number != 0) {
                numbers.put(schema, number);
            }
            return number;
        }

        /**
         * Returns the length. It also looks up the number: no space is claimed yet, so no reader waits behind this value
         * meanwhile.
         */
        @Override
        public int lengthBytes(TypedValue value) {
            int length = code(value.schema()).lengthBytes(value.components());
            number(value.schema());
            return Math.addExact(Schemas.MARK_BYTES, length);
        }

        @Override
        public void write(TypedValue value, MemorySegment segment, long offset, int length) {
            output.over(segment, offset, length).putInt(Schemas.mark(number(value.schema())));
            code(value.schema()).write(value.components(), output);
            output.requireFull();
        }

        @Override
        public TypedValue read(MemorySegment segment, long offset, int length) {
            Schema schema = TypedMessages.schema(schemas, TypedMessages.number(input.over(segment, offset, length)));
            Object components = code(schema).read(input);
            input.requireEnd();
            @SuppressWarnings("unchecked") // the value that the code of a record without a class makes
            Map<String, @Nullable Object> named = (Map<String, @Nullable Object>) components;
            return new TypedValue(schema, java.util.Objects.requireNonNull(named));
        }
    }
}
