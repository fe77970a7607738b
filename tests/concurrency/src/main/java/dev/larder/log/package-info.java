/** Hand-overs of the log between threads, under jcstress: in the log's own package, to stress its classes. */
@NullMarked
package dev.larder.log;

import org.jspecify.annotations.NullMarked;
