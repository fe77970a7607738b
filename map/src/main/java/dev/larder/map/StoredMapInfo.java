package dev.larder.map;

import dev.larder.log.LogInfo;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The state of a map, whichever processes have it open. If this process can see them, it is the state of this moment in
 * their shared memory. Else it is the state of the last checkpoint, and the amount of log after it. A closed map has no
 * log after its checkpoint.
 *
 * @param types the names of its codecs; empty if {@code map.ctl} cannot be read
 * @param current whether entries, index and live bytes are of this moment, and not of the last checkpoint
 * @param entries the number of its entries; empty if no process has it open, and no valid checkpoint exists
 * @param indexBytes the memory of its index, or the pages of its checkpoint; empty in the same case
 * @param liveBytes bytes of the records of its entries in the log; empty in the same case, and if the checkpoint does
 *     not say
 * @param hits lookups that found an entry since the first process opened it; empty if no process has it open
 * @param misses lookups that found none
 * @param evicted entries that were evicted
 * @param expired expired entries that the cleaner found
 * @param checkpointPosition the position from which the log is read in addition to the checkpoint; the oldest record if
 *     there is none
 * @param sinceCheckpointBytes bytes of the log from that position on
 * @param processes the processes that have it open, as far as visible: not from a container with a {@code /dev/shm} of
 *     its own. A process that was just killed may still be among them
 * @param log its log
 */
public record StoredMapInfo(
        Optional<MapTypes> types,
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
