package dev.larder.array.ratis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.RaftServerConfigKeys.Log;
import org.apache.ratis.server.RaftServerConfigKeys.RetryCache;
import org.apache.ratis.server.RaftServerConfigKeys.Rpc;
import org.apache.ratis.server.RaftServerConfigKeys.Snapshot;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;

/** The settings of Ratis that differ from its defaults, each with its reason. */
final class RaftSettings {

    /** The most bytes of entries in one message to a follower. */
    private static final long MESSAGE_BYTES = 2 << 20;

    private static final int MESSAGE_ENTRIES = 1024;
    private static final Duration FIRST_ELECTION_LEAST = Duration.ofMillis(300);
    private static final long SEGMENT_MAX_BYTES = 32 << 20;
    private static final long SEGMENT_MIN_BYTES = 4 << 20;
    private static final int SEGMENTS_IN_HEAP = 2;

    /**
     * A segment grows by so many zeros, or by an entry if that is longer. The next sync writes the zeros that no entry has taken
     * by then, so a small number is better. A sync of a file that has grown is slower, so a large number is better.
     */
    private static final long GROWTH_BYTES = 32 << 10;

    /** The part of the heap that the newest segments of all stripes may take. */
    private static final int HEAP_PART = 4;

    /** If large values lie elsewhere, an entry of the log stands for so many times its bytes. */
    private static final int VALUES_TIMES = 32;

    /**
     * How long Ratis keeps the replies to each entry, on each mirror, in case the entry is sent again. Each entry has its own
     * number, and is sent once. A second is long enough for entries in flight in Ratis.
     */
    private static final Duration REPLIES_KEPT = Duration.ofSeconds(1);

    private static final long SPLIT_MIN_BYTES = 64 << 10;

    /** The fewest segments of a log of the greatest length: it is dropped by whole segments. */
    private static final int LOG_PARTS = 8;

    private RaftSettings() {}

    /** Returns the settings of a node. Its members have made promises, or are all new: new ones need not wait long. */
    static RaftProperties of(RaftOptions options, boolean isNew) {
        RaftProperties properties = new RaftProperties();
        RaftServerConfigKeys.setStorageDir(
                properties, List.of(options.directory().toFile()));
        GrpcConfigKeys.Server.setHost(properties, options.address().getHostString());
        GrpcConfigKeys.Server.setPort(properties, options.address().getPort());

        // Pauses of a collector or a sync cause no change of leader, and a new leader is there within 3 s.
        Rpc.setTimeoutMin(properties, duration(options.electionLeast()));
        Rpc.setTimeoutMax(properties, duration(options.electionMost()));
        // A member that starts again may have promised not to vote for others. So it waits as long as any member.
        Duration spread = options.electionMost().minus(options.electionLeast());
        Duration first = isNew ? FIRST_ELECTION_LEAST : options.electionMost();
        Rpc.setFirstElectionTimeoutMin(properties, duration(first));
        Rpc.setFirstElectionTimeoutMax(properties, duration(first.plus(spread)));

        // A node that was stopped for minutes goes on. Ratis would close all members for good after a pause of a
        // minute.
        RaftServerConfigKeys.setCloseThreshold(properties, TimeDuration.valueOf(Integer.MAX_VALUE, TimeUnit.SECONDS));

        // A sleep between appends and the composition of messages under a lock cost Ozone a third of its rate.
        Log.Appender.setWaitTimeMin(properties, TimeDuration.ZERO);
        Log.setAppendEntriesComposeEnabled(properties, false);
        Log.Appender.setBufferElementLimit(properties, MESSAGE_ENTRIES);
        Log.Appender.setBufferByteLimit(properties, SizeInBytes.valueOf(MESSAGE_BYTES));
        Log.setWriteBufferSize(properties, SizeInBytes.valueOf(MESSAGE_BYTES + Long.BYTES)); // direct memory, a member

        // The newest segments are on the heap.
        long segment = segmentBytes(options);
        Log.setSegmentSizeMax(properties, SizeInBytes.valueOf(segment));
        Log.setPreallocatedSize(properties, SizeInBytes.valueOf(GROWTH_BYTES));
        Log.setSegmentCacheNumMax(properties, SEGMENTS_IN_HEAP);
        Log.setSegmentCacheSizeMax(properties, SizeInBytes.valueOf(SEGMENTS_IN_HEAP * segment));

        RetryCache.setExpiryTime(properties, duration(REPLIES_KEPT)); // else replies stay on the heap for a minute
        Log.StateMachineData.setCachingEnabled(properties, options.valuesOnce()); // else they would be on the heap
        Log.setLogMetadataEnabled(properties, false); // the applied index is stored with the data
        Log.setCorruptionPolicy(
                properties, Log.CorruptionPolicy.EXCEPTION); // a damaged log is reported, never shortened
        Log.Appender.setInstallSnapshotEnabled(properties, false); // files are pulled, not serialised
        // The store is kept independently, and says where to begin. RaftLogs decides which part of the log is dropped.
        Log.setPurgeUptoSnapshotIndex(properties, false);
        Log.setPurgeGap(properties, 1);
        Snapshot.setAutoTriggerEnabled(properties, false);
        Snapshot.setTriggerWhenStopEnabled(properties, false); // close() syncs the data itself
        return properties;
    }

    private static TimeDuration duration(Duration time) {
        return TimeDuration.valueOf(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static long segmentBytes(RaftOptions options) {
        long room = Runtime.getRuntime().maxMemory() / HEAP_PART / SEGMENTS_IN_HEAP / options.stripesMost();
        long most = Math.min(room, options.logBytes() / LOG_PARTS);
        return options.valuesOnce()
                ? Math.clamp(most / VALUES_TIMES, SPLIT_MIN_BYTES, SEGMENT_MIN_BYTES)
                : Math.clamp(most, SEGMENT_MIN_BYTES, SEGMENT_MAX_BYTES);
    }
}
