/** The dropping of segments, and the bookmarks that hold segments back. */
package dev.larder.log.retain;
