package dev.larder.queue;

import dev.larder.codec.Schema;
import dev.larder.codec.Schema.Component;
import dev.larder.codec.schema.CallableMethods;
import dev.larder.codec.schema.ComponentsCode;
import dev.larder.codec.schema.ComponentsCode.Wanted;
import dev.larder.codec.schema.JavaTypes;
import dev.larder.codec.schema.Lookups;
import dev.larder.codec.schema.MadeClass;
import dev.larder.codec.schema.Output;
import dev.larder.codec.schema.Schemas;
import dev.larder.codec.schema.ValueCodes;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Makes objects whose calls become messages.
 *
 * <pre>
 *  void say(String text, int times)      called with "hi", 3
 *  | fd | schema of say | 2 | hi | 3 |   assembled in its own memory, then appended
 * </pre>
 */
final class MethodWriters {

    private static final MethodHandle BEGIN = find("begin", Output.class, int.class);
    private static final MethodHandle END = find("end", void.class, Output.class);
    private static final MethodHandle CLOSE = find("close", void.class);

    private MethodWriters() {}

    private static MethodHandle find(String name, Class<?> result, Class<?>... parameters) {
        try {
            return MethodHandles.lookup().findVirtual(Calls.class, name, MethodType.methodType(result, parameters));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(name, e);
        }
    }

    /** The output of the calls of one object. Threads take turns, and each call has its own memory. */
    static final class Calls {

        /** The memory of a longer call is not kept for the next one: most calls are short. */
        private static final long KEPT_MOST_BYTES = 1 << 20;

        private final Appender appender;
        private final AtomicReference<@Nullable Output> spare = new AtomicReference<>(Output.growing());

        Calls(Appender appender) {
            this.appender = appender;
        }

        Output begin(int mark) {
            Output known = spare.getAndSet(null);
            Output output = known == null ? Output.growing() : known.restart();
            output.putInt(mark);
            return output;
        }

        void end(Output output) {
            MemorySegment written = output.segment();
            appender.append(written, 0, output.at());
            if (written.byteSize() <= KEPT_MOST_BYTES) {
                spare.setRelease(output);
            }
        }

        void close() {
            appender.close();
        }
    }

    static <T> T make(Class<T> type, Lookup lookup, Appender appender, Schemas schemas) {
        Calls calls = new Calls(appender);
        Map<Method, MethodHandle> handles = new LinkedHashMap<>();
        for (Method method : CallableMethods.of(type)) {
            Schema schema = JavaTypes.ofMethod(method);
            int mark = Schemas.mark(schemas.numberOf(schema));
            handles.put(method, handle(method, schema, mark, calls, lookup));
        }
        CallableMethods.closing(type).ifPresent(method -> handles.put(method, CLOSE.bindTo(calls)));
        try {
            return MadeClass.implementing(type, handles, lookup);
        } catch (IllegalAccessException e) {
            throw Lookups.refused(type, e);
        }
    }

    /** Returns {@code (T0, T1 ...) -> void}: begins a message, writes each argument, appends it. */
    private static MethodHandle handle(Method method, Schema schema, int mark, Calls calls, Lookup lookup) {
        ComponentsCode codes = new ValueCodes(schema, lookup, "this program").components();
        List<Component> written = schema.main().components();
        List<Wanted> wanted = Wanted.of(method.getParameters());
        MethodType type =
                MethodType.methodType(void.class, method.getParameterTypes()).insertParameterTypes(0, Output.class);
        MethodHandle writer = MethodHandles.dropArguments(END.bindTo(calls), 1, List.of(method.getParameterTypes()));
        for (int index = wanted.size() - 1; index >= 0; index--) {
            MethodHandle argument = codes.writer(written.get(index), wanted.get(index));
            MethodHandle placed = MethodHandles.permuteArguments(argument, type, 0, index + 1);
            writer = MethodHandles.foldArguments(writer, placed);
        }
        MethodHandle begin = MethodHandles.insertArguments(BEGIN.bindTo(calls), 0, mark);
        return MethodHandles.foldArguments(writer, begin);
    }
}
