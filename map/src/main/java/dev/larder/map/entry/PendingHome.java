package dev.larder.map.entry;

import dev.larder.log.Log;
import dev.larder.map.shared.PendingFloor;

/**
 * What pending records of an open map are appended and read by.
 *
 * @param signal tells the background that the cleaner may go on
 */
public record PendingHome<K, V>(
        MapParts parts, Log log, PendingFloor floor, Reads<K, V> reads, Changes<K, V> changes, Runnable signal) {}
