/** The server array: nodes that keep the keys of a server in stripes, each on several of them. */
@NullMarked
package dev.larder.array;

import org.jspecify.annotations.NullMarked;
