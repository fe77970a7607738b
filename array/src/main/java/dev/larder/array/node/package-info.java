/** How a server's commands reach a stripe: writes as entries of its log, reads behind the barrier. */
@NullMarked
package dev.larder.array.node;

import org.jspecify.annotations.NullMarked;
