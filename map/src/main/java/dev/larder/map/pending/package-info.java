/** Values that the map's log has before they are set for their keys. It uses the root package; no other room uses it. */
package dev.larder.map.pending;
