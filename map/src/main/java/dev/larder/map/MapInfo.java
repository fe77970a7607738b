package dev.larder.map;

import dev.larder.log.LogInfo;
import java.util.List;

/**
 * The identity and the state of a map.
 *
 * @param types the names of its codecs
 * @param entries the number of its entries
 * @param indexSteps the number of pages of 64 KiB in its index, with those that wait for reuse
 * @param indexBytes the memory that the index has requested
 * @param coldKeyBytes the memory of this process that holds keys of cold entries ({@link ColdKeys})
 * @param processes the processes that have the map open
 * @param hits lookups that found an entry, in all processes that count them ({@link MapOptions#counted}), since the
 *     first of them opened the map
 * @param misses lookups that found none
 * @param space the space of the map on the disk
 * @param log its log
 */
public record MapInfo(
        MapTypes types,
        long entries,
        long indexSteps,
        long indexBytes,
        long coldKeyBytes,
        List<MapProcess> processes,
        long hits,
        long misses,
        MapSpace space,
        LogInfo log) {}
