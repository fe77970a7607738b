/**
 * Plans where the members of stripes are to be, and the steps that lead there. Pure: it has no clock, no files, no threads, no
 * Raft, and no randomness except from a seed. The argument is in {@code docs/design/array.md}.
 */
@NullMarked
package dev.larder.array.plan;

import org.jspecify.annotations.NullMarked;
