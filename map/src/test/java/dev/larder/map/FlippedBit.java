package dev.larder.map;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/** Damage: one bit of a file. */
public final class FlippedBit {

    private FlippedBit() {}

    public static void in(Path file, long at) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
            bytes.seek(at);
            int before = bytes.read();
            bytes.seek(at);
            bytes.write(before ^ 0x10);
        }
    }
}
