/** Raft, by Apache Ratis: its settings, its servers, its members. The only room that names it. */
@NullMarked
package dev.larder.array.ratis;

import org.jspecify.annotations.NullMarked;
