package dev.larder.queue;

import dev.larder.codec.Schema;
import dev.larder.codec.Schema.Component;
import dev.larder.codec.SchemaMismatchException;
import dev.larder.codec.SchemaType;
import dev.larder.codec.schema.CallableMethods;
import dev.larder.codec.schema.ComponentsCode.Wanted;
import dev.larder.codec.schema.Input;
import dev.larder.codec.schema.JavaTypes;
import dev.larder.codec.schema.Lookups;
import dev.larder.codec.schema.MadeClass;
import dev.larder.codec.schema.Schemas;
import dev.larder.codec.schema.ValueCodes;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A reader that repeats, on a handler, the calls that method writers recorded, in this process or another, at any time
 * before. {@link LarderQueue#methodReader} makes it. One thread at a time.
 *
 * <p>A call goes to the method with the same name and parameter types. If there is none, but exactly one method of that
 * name, the call goes to that method, and parameters are matched by name. A parameter that the call lacks is zero, null
 * or empty. A parameter that only the call has is dropped. A parameter of another type is a
 * {@link SchemaMismatchException}. Every other message is counted, reported to a listener, and skipped.
 *
 * <p>If the types are equal, the reader matches parameters by order, unless both sides have the same names. Matching by name
 * needs {@code javac -parameters} on both sides.
 *
 * <p>If a method throws, the reader stays before that message.
 */
public final class MethodReader implements AutoCloseable {

    /** One method of the handler, called by messages of one schema. */
    interface Call {

        /** Reads the arguments and makes the call. */
        void read(Input input);
    }

    private static final Lookup OWN = MethodHandles.lookup();
    private static final MethodHandle HAND_OVER = handOverHandle();

    private final Tailer tailer;
    private final Schemas schemas;
    private final Object handler;
    private final Lookup lookup;
    private final List<Method> methods;
    private final Input input = new Input();
    private final MessageHandler dispatch = this::dispatch;
    private @Nullable Call[] calls = new Call[8];
    private UnknownMessageListener unknown = (position, what) -> {};
    private long unknownCount;

    /** Whether the message was read, and code of the program runs: an error is that code's own, and not of the message. */
    private boolean handedOver;

    <T> MethodReader(Tailer tailer, Schemas schemas, Class<T> type, T handler, Lookup lookup) {
        this.tailer = tailer;
        this.schemas = schemas;
        this.handler = handler;
        this.lookup = lookup;
        this.methods = CallableMethods.of(type);
    }

    private static MethodHandle handOverHandle() {
        try {
            return OWN.findVirtual(MethodReader.class, "handOver", MethodType.methodType(void.class));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("a method of our own", e);
        }
    }

    /** Sets the listener for messages that have no method; returns this reader. */
    public MethodReader onUnknown(UnknownMessageListener listener) {
        unknown = Objects.requireNonNull(listener, "listener");
        return this;
    }

    /** Returns how many messages were skipped because they have no method. */
    public long unknownCount() {
        return unknownCount;
    }

    /** Makes the next call; returns false if there is none yet. A skipped message counts as a call. */
    public boolean poll() {
        return drain(1) == 1;
    }

    /** Makes up to {@code limit} calls; returns how many. */
    public int drain(int limit) {
        try {
            return tailer.drain(dispatch, limit);
        } catch (SchemaMismatchException e) {
            throw handedOver ? e : MessageErrors.located(e, schemas.directory(), tailer.position());
        }
    }

    /** Makes the next call, and waits for it as {@link Tailer#poll(MessageHandler, Duration)} does. */
    public boolean poll(Duration timeout) throws InterruptedException {
        try {
            return tailer.poll(dispatch, timeout);
        } catch (SchemaMismatchException e) {
            throw handedOver ? e : MessageErrors.located(e, schemas.directory(), tailer.position());
        }
    }

    /** Returns the tailer that this reader reads, for moving it. */
    public Tailer tailer() {
        return tailer;
    }

    private void dispatch(MemorySegment segment, long offset, int length) {
        handedOver = false;
        input.over(segment, offset, length);
        int number = length < Schemas.MARK_BYTES ? -1 : Schemas.number(input.getInt());
        Call call = number < 0 ? null : call(number);
        if (call == null) {
            String what = describe(number);
            handOver();
            unknown.onUnknown(tailer.position(), what);
            unknownCount++; // only now: if the listener throws, the message comes again
        } else {
            call.read(input);
        }
    }

    private void handOver() {
        handedOver = true;
    }

    private String describe(int number) {
        if (number < 0) {
            return "a message without a schema";
        }
        return schemas.get(number)
                .map(MethodReader::describe)
                .orElse("a message of schema " + number + ", which is not in " + schemas.directory());
    }

    private static String describe(Schema schema) {
        List<String> types = schema.main().components().stream()
                .map(component -> component.type().toString())
                .toList();
        return schema.isMethod()
                ? schema.main() + "(" + String.join(", ", types) + ")"
                : schema.main().toString();
    }

    private @Nullable Call call(int number) {
        Call known = number < calls.length ? calls[number] : null;
        return known == null ? learn(number) : known;
    }

    private @Nullable Call learn(int number) {
        Schema schema = schemas.get(number).filter(Schema::isMethod).orElse(null);
        Optional<Method> method = schema == null ? Optional.empty() : methodFor(schema);
        if (schema == null || method.isEmpty()) {
            return null;
        }
        Call call = make(schema, method.get(), number);
        calls = Arrays.copyOf(calls, Math.max(calls.length, number + 1));
        calls[number] = call;
        return call;
    }

    private Optional<Method> methodFor(Schema schema) {
        List<Method> named = methods.stream()
                .filter(method -> method.getName().equals(schema.name()))
                .toList();
        Optional<Method> exact = named.stream()
                .filter(method -> types(JavaTypes.ofMethod(method)).equals(types(schema)))
                .findFirst();
        return exact.isPresent() || named.size() != 1 ? exact : Optional.of(named.getFirst());
    }

    private static List<SchemaType> types(Schema schema) {
        return schema.main().components().stream().map(Component::type).toList();
    }

    /** Matches the parameters of an exact method by order, unless it has the call's names; others by name. */
    private Call make(Schema schema, Method method, int number) {
        List<Component> written = schema.main().components();
        List<Wanted> wanted = Wanted.of(method.getParameters());
        if (types(JavaTypes.ofMethod(method)).equals(types(schema)) && !hasNames(method, written)) {
            wanted = renamed(wanted, written);
        }
        try {
            MethodHandle target = MethodHandles.foldArguments(
                    lookup.unreflect(method).bindTo(handler), HAND_OVER.bindTo(this)); // when the arguments are read
            ValueCodes codes = new ValueCodes(schema, lookup, schemas.origin(number));
            MethodHandle call = codes.components()
                    .reader(target, written, wanted, schema.main().toString());
            Map<Method, MethodHandle> handles = new LinkedHashMap<>();
            handles.put(Call.class.getDeclaredMethod("read", Input.class), call);
            return MadeClass.implementing(Call.class, handles, OWN);
        } catch (IllegalAccessException e) {
            throw Lookups.refused(method.getDeclaringClass(), e);
        } catch (NoSuchMethodException e) {
            throw new LinkageError("the methods of our own interfaces", e);
        }
    }

    /** Returns whether a method has the written parameters, by their real names and in any order. */
    private static boolean hasNames(Method method, List<Component> written) {
        List<Component> own = JavaTypes.ofMethod(method).main().components();
        return Arrays.stream(method.getParameters()).allMatch(Parameter::isNamePresent)
                && Set.copyOf(own).equals(Set.copyOf(written));
    }

    private static List<Wanted> renamed(List<Wanted> wanted, List<Component> written) {
        List<Wanted> renamed = new ArrayList<>();
        for (int index = 0; index < wanted.size(); index++) {
            Wanted parameter = wanted.get(index);
            renamed.add(new Wanted(written.get(index).name(), parameter.type(), parameter.generic()));
        }
        return renamed;
    }

    /** Closes the tailer; waits for a running method. */
    @Override
    public void close() {
        tailer.close();
    }
}
