/** Reading by position, for a structure that keeps positions. Exported to the map alone. */
package dev.larder.log.random;
