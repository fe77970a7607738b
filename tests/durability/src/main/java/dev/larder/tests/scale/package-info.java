/** Processes with very many segments, and at the limits of the system. */
package dev.larder.tests.scale;
