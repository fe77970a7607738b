package dev.larder.array.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.array.MemberName;
import dev.larder.array.stripe.EntryReads;
import dev.larder.array.stripe.StripeState;
import dev.larder.tests.support.Effort;
import dev.larder.tests.support.FreePorts;
import dev.larder.tests.support.OtherThread;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.server.RaftServerConfigKeys.Log;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.util.SizeInBytes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A member stops while its log drops entries from the heap. */
@Tag(Effort.LONG)
final class LogEvictionTest {

    private static final UUID STRIPE = new UUID(5, 5);
    private static final int ROUNDS = 6;
    private static final int ENTRIES = 20;
    private static final int ENTRY_BYTES = 2000;
    private static final int SEGMENT_BYTES = 3 * ENTRY_BYTES;

    @TempDir
    Path directory;

    /**
     * A state that takes all entries. When its member stops, it reads the log, parts of which are not on the heap: other parts
     * have to go then.
     */
    private static final class Reader implements StripeState {

        private volatile @Nullable RaftLog log;

        @Override
        public ByteBuffer apply(Place place, ByteBuffer entry, EntryReads reads) {
            return ByteBuffer.allocate(0);
        }

        @Override
        public void reached(long index) {}

        @Override
        public Place durable() {
            return Place.NONE;
        }

        @Override
        public void sync() {
            RaftLog read = log;
            if (read != null) {
                try {
                    for (long index = 0; index <= read.getLastCommittedIndex(); index++) {
                        assertThat(read.get(index)).isNotNull();
                    }
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }

        @Override
        public void roleChanged() {}

        @Override
        public void failed(Throwable cause) {}
    }

    private static void keepNothingOnTheHeap(RaftProperties properties) {
        Log.setSegmentSizeMax(properties, SizeInBytes.valueOf(SEGMENT_BYTES));
        Log.setPreallocatedSize(properties, SizeInBytes.valueOf(SEGMENT_BYTES));
        Log.setSegmentCacheNumMax(properties, 0);
    }

    /** Without {@link LogEviction} the test hangs in one of the first rounds. */
    @Test
    void aMemberStopsWhileEntriesAreDroppedFromTheHeap() {
        InetSocketAddress address = FreePorts.take(1).getFirst();
        MemberName name = new MemberName(0, 0);
        RaftOptions options = RaftOptions.of(name, address, directory.resolve("raft"), Optional.empty())
                .withElection(Duration.ofMillis(300), Duration.ofMillis(600));
        RaftNode.make(options, STRIPE);
        Reader reader = new Reader();
        try (RaftNode raft =
                RaftNode.open(options, List.of(STRIPE), stripe -> reader, LogEvictionTest::keepNothingOnTheHeap)) {
            raft.start();
            for (int round = 0; round < ROUNDS; round++) {
                raft.add(STRIPE, List.of(new StripePeer(name, address, false)));
                await().atMost(1, TimeUnit.MINUTES)
                        .until(() -> raft.member(STRIPE).isReady());
                for (int entry = 0; entry < ENTRIES; entry++) {
                    assertThat(raft.submit(STRIPE, ByteBuffer.allocate(ENTRY_BYTES), EntryReads.NONE))
                            .succeedsWithin(1, TimeUnit.MINUTES);
                }
                reader.log = raft.division(STRIPE).getRaftLog();
                assertThat(OtherThread.run(() -> raft.remove(STRIPE)))
                        .as("round %d", round)
                        .succeedsWithin(1, TimeUnit.MINUTES);
            }
        }
    }
}
