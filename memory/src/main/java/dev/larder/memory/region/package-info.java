/** Regions of bytes outside the heap: their kinds, how they are made, attached to and removed, and typed views of them. */
package dev.larder.memory.region;
