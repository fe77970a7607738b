/** Regions of bytes outside the heap: their kinds, their creation, attachment and removal, and typed views of them. */
package dev.larder.memory.region;
