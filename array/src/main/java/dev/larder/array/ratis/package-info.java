/** Raft, by Apache Ratis: its settings, its servers, its members. The only package that names Ratis. */
@NullMarked
package dev.larder.array.ratis;

import org.jspecify.annotations.NullMarked;
