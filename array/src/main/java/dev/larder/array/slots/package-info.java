/** The slots of each stripe, and the nodes of its members. Pure. */
@NullMarked
package dev.larder.array.slots;

import org.jspecify.annotations.NullMarked;
