/** A Lucene index outside the heap. Start at {@link dev.larder.lucene.LarderDirectory}. */
package dev.larder.lucene;
