/** A segmented, append-only, memory-mapped log that any number of processes write and read. */
package dev.larder.log;
