/** Internals that the layers above share with this one and users do not need: loads by address, and early initialisation. */
package dev.larder.memory.raw;
