/** Checkpoints of the index: writing, loading and replaying them, and copies for snapshots. */
package dev.larder.map.checkpoint;
