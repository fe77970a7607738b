/** The knowledge about an array: its description, and the reports of its nodes. It names no command. */
@NullMarked
package dev.larder.arraycli.state;

import org.jspecify.annotations.NullMarked;
