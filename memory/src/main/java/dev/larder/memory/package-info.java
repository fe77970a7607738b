/** Regions of bytes outside the heap, the storage they lie on, and the only native calls of Larder. */
package dev.larder.memory;
