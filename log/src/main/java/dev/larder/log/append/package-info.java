/** Appending: the claim of a place, the copy, the commit; one record, or many at once. */
package dev.larder.log.append;
