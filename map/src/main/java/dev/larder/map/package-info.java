/**
 * A persisted map of entries outside the heap: a hash index over the log. Start at {@link dev.larder.map.LarderMap}.
 */
package dev.larder.map;
