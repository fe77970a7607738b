package dev.larder.lab.buffers;

import dev.larder.cli.Figures;
import dev.larder.lab.result.LabException;

/** What must hold of a round, or the run proves nothing. */
final class BufferChecks {

    private BufferChecks() {}

    /** Fails where blocks are missing, or do not hold what was written into them. */
    static void requireWhole(Figures round, long blocks) {
        if (round.whole("blocks") != blocks) {
            throw broken(round, round.get("blocks") + " blocks were written, not " + blocks);
        }
        if (round.whole("wrong") != 0) {
            throw broken(round, round.get("wrong") + " of the numbers that were looked at are not what was written");
        }
    }

    private static LabException broken(Figures round, String what) {
        return new LabException(round.get("kind") + " in blocks of " + round.get("block_bytes") + " bytes, round "
                + round.get("round") + ": " + what);
    }
}
