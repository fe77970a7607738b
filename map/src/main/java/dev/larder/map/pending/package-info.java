/** Values that are written to the map's log before they are anybody's. It stands on the face, and nothing here stands on it. */
package dev.larder.map.pending;
