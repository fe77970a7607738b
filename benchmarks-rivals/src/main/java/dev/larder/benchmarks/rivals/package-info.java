/** Adapters of rival stores to the lab's interface, and comparisons that need them. Never on a user's path. */
@NullMarked
package dev.larder.benchmarks.rivals;

import org.jspecify.annotations.NullMarked;
