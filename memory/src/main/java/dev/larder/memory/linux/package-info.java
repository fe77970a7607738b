/** Native calls of Linux, and their storage. Only {@code region} calls other native code, for its own kinds of memory. */
package dev.larder.memory.linux;
