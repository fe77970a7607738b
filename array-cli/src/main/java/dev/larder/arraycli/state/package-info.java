/** What is known of an array: its description, and what its nodes say. It names no command. */
@NullMarked
package dev.larder.arraycli.state;

import org.jspecify.annotations.NullMarked;
