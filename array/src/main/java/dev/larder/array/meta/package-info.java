/** The array's record: which nodes there are, and where the stripes are to be. Pure. */
@NullMarked
package dev.larder.array.meta;

import org.jspecify.annotations.NullMarked;
