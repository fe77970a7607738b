package dev.larder.tests.processes;

import dev.larder.codec.ValueCodec;
import dev.larder.map.LarderMap;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Another process that has a map open: {@code <directory> <count>}. It puts this many entries, prints {@code PUT}, and answers
 * each line, a key, with its value, until the input ends.
 */
public final class MapNeighbour {

    private MapNeighbour() {}

    /** Runs the program. */
    public static void main(String[] args) throws IOException {
        try (LarderMap<Long, Long> map = open(Path.of(args[0]))) {
            for (long key = 0; key < Long.parseLong(args[1]); key++) {
                map.put(key, value(key));
            }
            System.out.println("PUT");
            BufferedReader questions = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = questions.readLine(); line != null; line = questions.readLine()) {
                System.out.println(map.get(Long.valueOf(line)));
            }
        }
        System.out.println("CLOSED");
    }

    /** Opens the map. */
    public static LarderMap<Long, Long> open(Path directory) {
        return LarderMap.open(directory, ValueCodec.longs(), ValueCodec.longs());
    }

    /** Returns the value of a key. */
    public static long value(long key) {
        return key * 31 + 1;
    }
}
