package dev.larder.tests.crash;

import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A storage that fills the file of each dropped segment with committed records of 8 bytes, as soon as no process may touch the
 * file any more. If a byte of a file's former life is ever delivered, or walked over, it belongs to one of these.
 *
 * <pre>
 * dropped: renamed to a private name  ->  no pin is at or below it: opened, to be kept  ->  opened again, to be renewed
 *          TOO_EARLY poisons here         here it is poisoned                               UNZEROED keeps the poison
 * </pre>
 */
public final class Poison implements InvocationHandler {

    /** The word that fills the file, both as the word of a record and as its payload. */
    public static final long WORD = 0x1234_5678_8000_0008L;

    /** A fault that is made on purpose. */
    enum Wrong {
        /** Nothing. */
        NOTHING,
        /** The file is poisoned while a reader may still stand in it. */
        TOO_EARLY,
        /** A file is used again without being zeroed. */
        UNZEROED;

        /** Returns the fault that {@code poison}, {@code poison-too-early} or {@code poison-unzeroed} names. */
        static Wrong of(String word) {
            return word.equals("poison")
                    ? NOTHING
                    : valueOf(
                            word.substring("poison-".length()).replace('-', '_').toUpperCase(Locale.ROOT));
        }
    }

    private static final int CHUNK_BYTES = 1 << 20;

    /** The log zeroes a file in pieces of at least this size; all its other writes are smaller. */
    private static final int ZEROS_LEAST_BYTES = 64 << 10;

    private final Storage storage;
    private final Wrong wrong;
    private final Path count;
    private final Set<Path> dropped = ConcurrentHashMap.newKeySet();
    private final Set<Path> poisoned = ConcurrentHashMap.newKeySet();

    private Poison(Storage storage, Wrong wrong, Path count) {
        this.storage = storage;
        this.wrong = wrong;
        this.count = count;
    }

    /**
     * A storage over another one.
     *
     * @param count a file that gets a byte for each file that was poisoned
     */
    static Storage over(Storage storage, Wrong wrong, Path count) {
        return proxy(Storage.class, new Poison(storage, wrong, count));
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        if (method.getName().equals("open") && dropped.remove((Path) arguments[0])) {
            poison((Path) arguments[0]);
            return call(storage, method, arguments);
        }
        Object result = call(storage, method, arguments);
        return switch (method.getName()) {
            case "rename" -> renamed((Path) arguments[1], Boolean.TRUE.equals(result));
            case "open" -> opened((Path) arguments[0], (Optional<?>) Objects.requireNonNull(result));
            default -> result;
        };
    }

    private static @Nullable Object call(Object target, Method method, Object @Nullable [] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw Objects.requireNonNull(e.getCause());
        }
    }

    private boolean renamed(Path target, boolean done) {
        if (done && target.toString().endsWith(".tmp")) {
            if (wrong == Wrong.TOO_EARLY) {
                poison(target);
            } else {
                dropped.add(target);
            }
        }
        return done;
    }

    /** Returns a file that is opened again: with {@code UNZEROED}, a poisoned file ignores the writes that zero it. */
    private Optional<?> opened(Path path, Optional<?> file) {
        return wrong == Wrong.UNZEROED && poisoned.contains(path) ? file.map(Poison::unzeroed) : file;
    }

    private static Object unzeroed(Object file) {
        return proxy(StorageFile.class, (proxy, method, arguments) -> {
            boolean zeroes =
                    method.getName().equals("write") && ((MemorySegment) arguments[0]).byteSize() >= ZEROS_LEAST_BYTES;
            return zeroes ? null : call(file, method, arguments);
        });
    }

    private void poison(Path file) {
        ByteBuffer words = ByteBuffer.allocateDirect(CHUNK_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        while (words.hasRemaining()) {
            words.putLong(WORD);
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            for (long at = 0, size = channel.size(); at < size; at += CHUNK_BYTES) {
                channel.write(words.rewind(), at);
            }
            Files.write(count, new byte[1], StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        poisoned.add(file);
    }
}
