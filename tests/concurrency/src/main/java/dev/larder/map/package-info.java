/** The hand-overs of the map between threads, under jcstress: in its package, to stress its own classes. */
@NullMarked
package dev.larder.map;

import org.jspecify.annotations.NullMarked;
