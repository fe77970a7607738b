/** A map of entries outside the heap: a hash index over the log. */
package dev.larder.map;
