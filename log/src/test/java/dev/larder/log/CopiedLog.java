package dev.larder.log;

import dev.larder.log.format.ControlLayout;
import dev.larder.log.shared.PrivateFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A log as left by a process that ends without closing it: the files as they are while the log is open. */
public final class CopiedLog {

    private CopiedLog() {}

    /** Appends to a log beside {@code copy}, and copies it there while it is open. */
    public static void whileOpen(Path copy, LogOptions options, Consumer<LogAppender> work) {
        Path original = copy.resolveSibling(copy.getFileName() + "-open");
        try (Log log = Log.open(original, options);
                LogAppender appender = log.appender()) {
            work.accept(appender);
            copy(original, copy);
        }
    }

    public static void copy(Path from, Path to) {
        try (Stream<Path> files = Files.list(from)) {
            Files.createDirectories(to);
            List<Path> all = files.toList();
            for (Path file : all) {
                copyIfThere(file, to.resolve(file.getFileName()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Damages both copies of the place of a log that is not open. */
    public static void damagePlaces(Path log) {
        byte[] damage = new byte[32];
        Arrays.fill(damage, (byte) 0x55);
        try (FileChannel file = FileChannel.open(log.resolve(ControlLayout.FILE_NAME), StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(damage), ControlLayout.PLACE_A);
            file.write(ByteBuffer.wrap(damage), ControlLayout.PLACE_B);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Changes a word of the state without its check, as a process does that is killed while it stores the state. */
    public static void tearState(Path log, long word) {
        try (FileChannel file = FileChannel.open(log.resolve(ControlLayout.FILE_NAME), StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.allocate(8).putLong(0, 0x0807_0605_0403_0201L), ControlLayout.STATE + word);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Copies a file if it exists: meanwhile the background links segments, and deletes their private names. */
    private static void copyIfThere(Path from, Path to) throws IOException {
        try {
            Files.copy(from, to);
        } catch (NoSuchFileException e) {
            if (!String.valueOf(from.getFileName()).endsWith(PrivateFiles.SUFFIX)) {
                throw e;
            }
        }
    }
}
