/** Appends one record, or many at once: the claim of a place, the copy, the commit. */
package dev.larder.log.append;
