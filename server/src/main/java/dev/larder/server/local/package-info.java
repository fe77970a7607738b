/** The database of a single node: its stores in a folder, locks for slots, and the group commit. */
package dev.larder.server.local;
