package dev.larder.map;

import dev.larder.log.LogInfo;
import java.util.OptionalLong;

/**
 * How a map stands in its files, whoever has it open: as its last checkpoint says, and what came after it. A map that was
 * closed has nothing after it.
 *
 * @param entries how many entries the checkpoint holds; empty where there is none that can be believed
 * @param indexBytes the steps of its image; empty as well
 * @param liveBytes what the records of its entries take in the log; empty as well, and where the checkpoint does not say
 * @param checkpointPosition from where the log is to be read in addition; the oldest record where there is no checkpoint
 * @param sinceCheckpointBytes what lies in the log from there on
 * @param log the log
 */
public record StoredMapInfo(
        OptionalLong entries,
        OptionalLong indexBytes,
        OptionalLong liveBytes,
        long checkpointPosition,
        long sinceCheckpointBytes,
        LogInfo log) {}
