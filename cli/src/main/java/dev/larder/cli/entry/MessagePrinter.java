package dev.larder.cli.entry;

import dev.larder.codec.TypedValue;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.MessageHandler;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Prints each message on its own line.
 *
 * <pre>{@code
 * hello                                                                                      as it is
 * Trade {"symbol":"XY","price":1.5}                                                          a typed one
 * {"position":8192,"length":5,"text":"hello"}                                                with --json
 * {"position":8208,"length":20,"record":"Trade","value":{"symbol":"XY","price":1.5}}
 * }</pre>
 */
public final class MessagePrinter implements MessageHandler {

    private static final int CHECK_BYTES = 1 << 16;

    private final TypedMessageReader typed;
    private final PrintStream out;
    private final boolean json;
    private long position;
    private long unchecked;

    public MessagePrinter(LarderQueue queue, PrintStream out, boolean json) {
        this.typed = new TypedMessageReader(queue);
        this.out = out;
        this.json = json;
    }

    /** Sets the position of the next message. */
    public void at(long next) {
        position = next;
    }

    /** Returns whether the reader of the output is gone. It checks that only now and then. */
    public boolean isClosed() {
        if (unchecked < CHECK_BYTES) {
            return false;
        }
        unchecked = 0;
        return out.checkError();
    }

    @Override
    public void onMessage(MemorySegment segment, long offset, int length) {
        byte[] bytes = segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
        Optional<TypedValue> value = typed.read(segment, offset, length);
        byte[] line = json
                ? utf8(json(value, bytes))
                : value.map(read -> utf8(plain(read))).orElse(bytes);
        out.write(line, 0, line.length);
        out.write('\n');
        unchecked += line.length + 1L;
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String plain(TypedValue value) {
        return value.schema().name() + " " + JsonMessages.json(value.components());
    }

    private String json(Optional<TypedValue> value, byte[] bytes) {
        Map<String, @Nullable Object> line = new LinkedHashMap<>();
        line.put("position", position);
        line.put("length", bytes.length);
        String text = JsonMessages.text(bytes);
        if (value.isPresent()) {
            line.put(TypedMessageReader.kind(value.get()), value.get().schema().name());
            line.put("value", value.get().components());
        } else if (text != null) {
            line.put("text", text);
        } else {
            line.put("base64", Base64.getEncoder().encodeToString(bytes));
        }
        return JsonMessages.json(line);
    }
}
