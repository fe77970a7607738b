/** The experiment {@code map}: random accesses, beside the heap, plain memory and other maps. */
package dev.larder.lab.map;
