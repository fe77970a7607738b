package dev.larder.map.entry;

import dev.larder.log.Log;
import dev.larder.map.shared.PendingFloor;

/**
 * The parts of an open map by which pending records are appended and read.
 *
 * @param signal wakes the background task, as the cleaner may continue
 */
public record PendingHome<K, V>(
        MapParts parts, Log log, PendingFloor floor, Reads<K, V> reads, Changes<K, V> changes, Runnable signal) {}
