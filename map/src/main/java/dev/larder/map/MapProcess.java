package dev.larder.map;

import java.time.Instant;

/**
 * A process that has a map open.
 *
 * @param slot its slot in the log
 * @param pid its number, as it sees itself; in a container it differs from the number outside
 * @param since when it opened the map
 */
public record MapProcess(int slot, long pid, Instant since) {}
