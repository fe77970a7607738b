/** Cleaning: freeing space, and deciding which entries go. */
package dev.larder.map.clean;
