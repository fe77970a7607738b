package dev.larder.log.segment;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The sizes of the pieces in which zeros are written, by the bytes that a log appends between two syncs. */
final class SyncPaceTest {

    private static final long KIB = 1L << 10;
    private static final long MIB = 1L << 20;

    private static SyncPace created() {
        return new SyncPace(false, 0, 0);
    }

    @Test
    void beginsInBetweenUnlessEachAppendIsSynced() {
        assertThat(created().pieceBytes()).isEqualTo(SyncPace.UNKNOWN_BYTES);
        assertThat(new SyncPace(true, 0, 0).pieceBytes()).isEqualTo(SyncPace.SMALLEST_BYTES);
        assertThat(new SyncPace(true, 100 * MIB, 100).pieceBytes()).isEqualTo(SyncPace.SMALLEST_BYTES);
    }

    @Test
    void aPieceIsAtMostAnEighthOfWhatASyncMakesDurable() {
        SyncPace pace = created();
        pace.look(0, 512 * KIB, 2 * MIB, 1);
        assertThat(pace.pieceBytes()).isEqualTo(64 * KIB);
        pace.look(1, 1 * MIB, 4 * MIB, 3); // 2.5 MiB since
        assertThat(pace.pieceBytes()).isEqualTo(128 * KIB);
        pace.look(2, 2 * MIB, 8 * MIB, 5003);
        assertThat(pace.pieceBytes()).isEqualTo(SyncPace.SMALLEST_BYTES);
    }

    /** A whole entry of the page tables is saved, or none. */
    @Test
    void thePiecesOfALogThatIsSyncedSeldomAreTheLargest() {
        SyncPace pace = created();
        pace.look(0, 4 * MIB - 8, 8 * MIB, 1);
        assertThat(pace.pieceBytes()).isEqualTo(256 * KIB);
        pace.look(0, 8 * MIB - 8, 8 * MIB, 2);
        assertThat(pace.pieceBytes()).isEqualTo(SyncPace.LARGEST_BYTES);
    }

    @Test
    void aLogThatNobodySyncsGetsTheLargest() {
        SyncPace pace = created();
        pace.look(0, 512 * KIB, 2 * MIB, 0);
        assertThat(pace.pieceBytes()).isEqualTo(SyncPace.LARGEST_BYTES);
    }

    /** Segments that other processes made, or that were passed at once, count as large as the current one. */
    @Test
    void countsSegmentsThatItHasNotSeen() {
        SyncPace pace = created();
        pace.look(0, 1 * MIB, 2 * MIB, 0);
        pace.look(8, 1 * MIB, 2 * MIB, 16); // 16 MiB later
        assertThat(pace.pieceBytes()).isEqualTo(128 * KIB);
    }

    @Test
    void fewAppendsAndSyncsTellNothing() {
        SyncPace pace = created();
        pace.look(0, 1 * MIB, 2 * MIB, 0);
        pace.look(0, 1 * MIB + 100, 2 * MIB, 1);
        pace.look(1, 0, 4 * MIB, 100); // ahead of the tail
        assertThat(pace.pieceBytes()).isEqualTo(SyncPace.LARGEST_BYTES);
        pace.look(0, 1 * MIB + 1600, 2 * MIB, 16); // they add up
        assertThat(pace.pieceBytes()).isEqualTo(SyncPace.SMALLEST_BYTES);
    }

    /** The counters may come from a bulk load: at first the piece is no larger than in a log of which nothing is known. */
    @Test
    void remembersAReopenedLogByItsCounters() {
        assertThat(new SyncPace(false, 10 * MIB, 100_000).pieceBytes()).isEqualTo(SyncPace.SMALLEST_BYTES);
        assertThat(new SyncPace(false, 20_000 * MIB, 20).pieceBytes()).isEqualTo(SyncPace.UNKNOWN_BYTES);
        assertThat(new SyncPace(false, 100, 1).pieceBytes()).isEqualTo(SyncPace.UNKNOWN_BYTES);
    }

    /** Before the first look it is unknown how much of the segment was used at the opening. */
    @Test
    void aReopenedLogLearnsFromTheFirstLookOn() {
        SyncPace pace = new SyncPace(false, 10 * MIB, 100_000);
        pace.look(0, 1 * MIB, 2 * MIB, 100_000);
        assertThat(pace.pieceBytes()).isEqualTo(SyncPace.SMALLEST_BYTES);
        pace.look(1, 1 * MIB, 2 * MIB, 100_001);
        assertThat(pace.pieceBytes()).isEqualTo(256 * KIB);
    }
}
