/** Which stripe has which slot, and which nodes have its members. Pure. */
@NullMarked
package dev.larder.array.slots;

import org.jspecify.annotations.NullMarked;
