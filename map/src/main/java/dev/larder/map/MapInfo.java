package dev.larder.map;

import dev.larder.log.LogInfo;
import java.util.List;

/**
 * What a map is and how it stands.
 *
 * @param entries how many entries it holds
 * @param indexSteps of how many steps of 64 KiB its index consists, those that wait to be used again included
 * @param indexBytes the memory that the index has asked for
 * @param coldKeyBytes the memory of this process that keeps keys of entries which are not in memory ({@link ColdKeys})
 * @param processes the processes that have it open
 * @param hits how many look-ups found an entry, of all processes that count them ({@link MapOptions#counted}), since
 *     the first of them opened the map
 * @param misses how many found none
 * @param space what it takes on the disk
 * @param log its log
 */
public record MapInfo(
        long entries,
        long indexSteps,
        long indexBytes,
        long coldKeyBytes,
        List<MapProcess> processes,
        long hits,
        long misses,
        MapSpace space,
        LogInfo log) {}
