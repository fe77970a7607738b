/** Hand-overs of the map between threads, under jcstress: in the map's own package, to stress its classes. */
@NullMarked
package dev.larder.map;

import org.jspecify.annotations.NullMarked;
