package dev.larder.log.open;

import dev.larder.log.Position;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * The parts of one segment that a salvage leaves out. Neighbors that are left out for the same reason are reported as one
 * range.
 */
final class LeftOut {

    /** The reason why bytes are left out. */
    enum Reason {
        /** A record's own check fails; its word gives its length. */
        CHECK("fails its check", "fail their checks"),
        /** A record touches a sealed range whose bytes are not those that were sealed. */
        SEAL("lies in a range that fails its seal", "lie in a range that fails its seal"),
        /** No word gives the start of the next record. */
        CHAIN("", "");

        private final String ofOne;
        private final String ofMany;

        Reason(String ofOne, String ofMany) {
            this.ofOne = ofOne;
            this.ofMany = ofMany;
        }
    }

    private final Path path;
    private final int number;
    private final Consumer<String> problems;
    private Reason reason = Reason.CHAIN;
    private long from;
    private long to;
    private long rangeRecords;
    private long records;
    private long bytes;

    LeftOut(Path path, int number, Consumer<String> problems) {
        this.path = path;
        this.number = number;
        this.problems = problems;
    }

    /** Leaves out one record. */
    void addRecord(Reason why, long start, long end) {
        add(why, start, end, 1);
    }

    /** Leaves out a range in which the records cannot be told apart. */
    void addRange(long start, long end) {
        add(Reason.CHAIN, start, end, 0);
    }

    private void add(Reason why, long start, long end, long recordsThere) {
        if (start != to || why != reason) {
            tell();
            reason = why;
            from = start;
        }
        to = end;
        rangeRecords += recordsThere;
        records += recordsThere;
        bytes += end - start;
    }

    /** Reports the last range. */
    void tell() {
        if (to > from) {
            problems.accept(path + ": " + range() + ": " + (to - from) + " bytes left out");
        }
        from = 0;
        to = 0;
        rangeRecords = 0;
    }

    private String range() {
        String start = Position.toString(Position.of(number, from));
        String end = Position.toString(Position.of(number, to));
        if (reason == Reason.CHAIN) {
            return "damaged from position " + start + " to " + end;
        }
        return rangeRecords == 1
                ? "the record at position " + start + ", of " + (to - from) + " bytes, " + reason.ofOne
                : rangeRecords + " records from position " + start + " to " + end + " " + reason.ofMany;
    }

    /** Returns how many records were left out, as far as that is known. */
    long records() {
        return records;
    }

    long bytes() {
        return bytes;
    }
}
