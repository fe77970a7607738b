/** Copies the files of a store from another node: the held source, the requests and answers, and the folder that is filled. */
@NullMarked
package dev.larder.array.pull;

import org.jspecify.annotations.NullMarked;
