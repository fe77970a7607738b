/** The hand-overs of the log between threads, under jcstress: in its package, to stress its own classes. */
@NullMarked
package dev.larder.log;

import org.jspecify.annotations.NullMarked;
