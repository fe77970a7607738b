/** {@code larder array demo}: three nodes on this host, one of which is killed under load. */
@NullMarked
package dev.larder.arraycli.demo;

import org.jspecify.annotations.NullMarked;
