package dev.larder.array.campaign;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * Damage to the files of a node that does not run.
 *
 * <pre>
 * | RaftLog1 | entry | entry | entry | ent 0 0 0 0       torn: what no sync covered. The member comes back
 * | RaftLog1 | entry | e?try | entry | 0 0 0 0 0 0       garbled: it has lost what it acknowledged, and never comes back
 * </pre>
 */
final class RaftFiles {

    private static final int HEADER_BYTES = 8;
    private static final int CHECKSUM_BYTES = 4;
    private static final int TORN_LEAST_BYTES = 200;
    private static final int TORN_MOST_BYTES = 3000;

    private RaftFiles() {}

    /** Puts the first bytes of an entry behind the last one of each log. Returns how many logs there are. */
    static int tear(Path folder, SplittableRandom random) {
        List<Path> open = openSegments(folder);
        for (Path segment : open) {
            int length = random.nextInt(TORN_LEAST_BYTES, TORN_MOST_BYTES);
            byte[] entry = new byte[length + 2 + CHECKSUM_BYTES];
            random.nextBytes(entry);
            entry[0] = (byte) ((length & 0x7f) | 0x80);
            entry[1] = (byte) (length >> 7);
            int written = random.nextInt(1, entry.length);
            write(segment, ends(segment).getLast(), ByteBuffer.wrap(entry, 0, written));
        }
        return open.size();
    }

    /**
     * Changes a byte of an entry in each log. Returns how many logs there are.
     *
     * @param most the entry is one of this many at the end
     */
    static int garble(Path folder, SplittableRandom random, int most) {
        List<Path> open = openSegments(folder);
        for (Path segment : open) {
            List<Integer> ends = ends(segment);
            int last = ends.size() - 1;
            int entry = Math.max(1, last - random.nextInt(most));
            int end = ends.get(entry);
            int begin = ends.get(entry - 1);
            int at = random.nextInt(begin + 2, end);
            byte before = read(segment)[at];
            write(segment, at, ByteBuffer.wrap(new byte[] {(byte) (before ^ 1 << random.nextInt(7))}));
        }
        return open.size();
    }

    /** Deletes the content of a folder, as if its disk had been replaced. */
    static void empty(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
            Files.createDirectory(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the logs that grow; none if the node has never been a member of a stripe. */
    private static List<Path> openSegments(Path folder) {
        Path logs = folder.resolve("raft");
        if (!Files.exists(logs)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(logs)) {
            return files.filter(file -> file.getFileName().toString().startsWith("log_inprogress_"))
                    .filter(file -> ends(file).size() > 1)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] read(Path segment) {
        try {
            return Files.readAllBytes(segment);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path segment, int at, ByteBuffer bytes) {
        try (FileChannel file = FileChannel.open(segment, StandardOpenOption.WRITE)) {
            while (bytes.hasRemaining()) {
                file.write(bytes, at + bytes.position());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the ends of the entries of a log, the header first. An entry is its length as a varint, its bytes, and a checksum.
     */
    private static List<Integer> ends(Path segment) {
        ByteBuffer log = ByteBuffer.wrap(read(segment));
        List<Integer> ends = new ArrayList<>(List.of(HEADER_BYTES));
        log.position(HEADER_BYTES);
        while (log.hasRemaining()) {
            int length = varint(log);
            if (length == 0 || log.remaining() < length + CHECKSUM_BYTES) {
                break;
            }
            log.position(log.position() + length + CHECKSUM_BYTES);
            ends.add(log.position());
        }
        return ends;
    }

    private static int varint(ByteBuffer in) {
        int value = 0;
        for (int shift = 0; in.hasRemaining(); shift += 7) {
            byte part = in.get();
            value |= (part & 0x7f) << shift;
            if (part >= 0) {
                break;
            }
        }
        return value;
    }
}
