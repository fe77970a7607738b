package dev.larder.map;

import dev.larder.log.LogInfo;
import java.util.List;
import java.util.OptionalLong;

/**
 * How a map stands, whoever has it open. Where its processes can be seen, as their shared memory says at this moment;
 * else as the last checkpoint says, and what came after that. A map that was closed has nothing after it.
 *
 * @param current whether entries, index and live bytes are those of this moment, and not of the last checkpoint
 * @param entries how many entries it holds; empty where nobody has it open, and there is no checkpoint that can be believed
 * @param indexBytes the memory of its index, or the steps of its image; empty as well
 * @param liveBytes what the records of its entries take in the log; empty as well, and where the checkpoint does not say
 * @param hits how many look-ups found an entry since the first process opened it; empty where nobody has it open
 * @param misses how many found none
 * @param evicted how many entries went because there was no room for all
 * @param expired how many entries were found by the cleaner whose lifetime had ended
 * @param checkpointPosition from where the log is to be read in addition to the checkpoint; the oldest record where
 *     there is none
 * @param sinceCheckpointBytes what lies in the log from there on
 * @param processes those that have it open, as far as can be seen: not from a container with a {@code /dev/shm} of its
 *     own; one that was just killed may still be among them
 * @param log the log
 */
public record StoredMapInfo(
        boolean current,
        OptionalLong entries,
        OptionalLong indexBytes,
        OptionalLong liveBytes,
        OptionalLong hits,
        OptionalLong misses,
        OptionalLong evicted,
        OptionalLong expired,
        long checkpointPosition,
        long sinceCheckpointBytes,
        List<MapProcess> processes,
        LogInfo log) {}
