/**
 * Links between the nodes of an array: frames of bytes, from each node to each other one. A stranger is refused. What the frames
 * say is the affair of others.
 */
@NullMarked
package dev.larder.array.link;

import org.jspecify.annotations.NullMarked;
