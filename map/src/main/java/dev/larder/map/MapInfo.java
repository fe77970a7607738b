package dev.larder.map;

import dev.larder.log.LogInfo;

/**
 * What a map is and how it stands.
 *
 * @param entries how many entries it holds
 * @param indexSteps of how many steps of 64 KiB its index consists, those that wait to be used again included
 * @param indexBytes the memory that the index has asked for
 * @param space what it takes on the disk
 * @param log its log
 */
public record MapInfo(long entries, long indexSteps, long indexBytes, MapSpace space, LogInfo log) {}
