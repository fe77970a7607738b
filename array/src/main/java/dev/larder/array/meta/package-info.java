/** The array's record: its nodes, and where its stripes are to be. Pure. */
@NullMarked
package dev.larder.array.meta;

import org.jspecify.annotations.NullMarked;
