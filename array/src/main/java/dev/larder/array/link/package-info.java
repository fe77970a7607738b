/**
 * Links between the nodes of an array: frames of bytes, from each node to each other one. Strangers are refused. Other packages
 * define the content of the frames.
 */
@NullMarked
package dev.larder.array.link;

import org.jspecify.annotations.NullMarked;
