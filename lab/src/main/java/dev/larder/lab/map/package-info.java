/** The experiment {@code map}: one access at random, beside the heap, plain memory and other maps. */
package dev.larder.lab.map;
