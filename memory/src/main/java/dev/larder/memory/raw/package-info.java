/** Loads by address, for the layers that keep what they load from mapped. Exported to the log and the map alone. */
package dev.larder.memory.raw;
