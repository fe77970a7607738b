package dev.larder.array.ratis;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A planted defect: whole entries are cut off too from a log whose last entry is torn. It replaces a method of TornTail. */
public final class PlantedTail {

    private static final int CUT_ONE_OF = 4;

    private PlantedTail() {}

    /** Returns where the last quarter of a log's whole entries begins. */
    public static int find(ByteBuffer log) {
        List<Integer> begins = new ArrayList<>();
        int begin = OpenSegment.HEADER_BYTES;
        for (int end = OpenSegment.end(log, begin);
                end != OpenSegment.NONE && OpenSegment.isWhole(log, begin, end);
                end = OpenSegment.end(log, begin)) {
            begins.add(begin);
            begin = end;
        }
        return begins.isEmpty() ? OpenSegment.NONE : begins.get(begins.size() - begins.size() / CUT_ONE_OF - 1);
    }
}
