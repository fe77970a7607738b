/** Reading by position, for a structure that keeps positions: the map. The queue only checks whether a log can be closed. */
package dev.larder.log.random;
