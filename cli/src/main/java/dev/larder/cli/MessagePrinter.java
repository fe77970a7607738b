package dev.larder.cli;

import dev.larder.lab.result.Figures;
import dev.larder.queue.MessageHandler;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Prints each message on a line of its own. */
final class MessagePrinter implements MessageHandler {

    private static final int CHECK_BYTES = 1 << 16;

    private final PrintStream out;
    private final boolean json;
    private long position;
    private long unchecked;

    MessagePrinter(PrintStream out, boolean json) {
        this.out = out;
        this.json = json;
    }

    /** Tells the position of the message to come. */
    void at(long next) {
        position = next;
    }

    /** Returns whether the reader of the output went away; looked at once in a while. */
    boolean isClosed() {
        if (unchecked < CHECK_BYTES) {
            return false;
        }
        unchecked = 0;
        return out.checkError();
    }

    @Override
    public void onMessage(MemorySegment segment, long offset, int length) {
        byte[] bytes = segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
        byte[] line = json ? json(bytes).getBytes(StandardCharsets.UTF_8) : bytes;
        out.write(line, 0, line.length);
        out.write('\n');
        unchecked += line.length + 1L;
    }

    private String json(byte[] bytes) {
        Figures figures = new Figures().put("position", position).put("length", bytes.length);
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return figures.put("text", text).toJson();
        } catch (CharacterCodingException e) {
            return figures.put("base64", Base64.getEncoder().encodeToString(bytes))
                    .toJson();
        }
    }
}
