/** Topologies and plans as text: JSON for programs, lines for people. {@code docs/formats/array.md} describes the JSON. */
@NullMarked
package dev.larder.array.form;

import org.jspecify.annotations.NullMarked;
