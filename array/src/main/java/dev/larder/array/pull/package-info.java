/** How the files of a store come from another node: what the source holds, what is asked and answered, and the folder they fill. */
@NullMarked
package dev.larder.array.pull;

import org.jspecify.annotations.NullMarked;
