/** Reading by position, for a structure that keeps positions: for the map. The queue only asks here whether a log can be closed. */
package dev.larder.log.random;
