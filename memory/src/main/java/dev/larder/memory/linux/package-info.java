/** Native calls of Linux, and the storage that is made of them. No other package calls native code, except {@code region} for its own kinds of memory. */
package dev.larder.memory.linux;
