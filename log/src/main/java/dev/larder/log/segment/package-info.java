/** The life of one segment file: made, mapped, indexed by rows, sealed, used again. */
package dev.larder.log.segment;
