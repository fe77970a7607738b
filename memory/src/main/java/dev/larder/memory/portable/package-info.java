/** Files, locks and waiting by {@code java.nio} alone: what every platform has, and the fallback where native calls are off. */
package dev.larder.memory.portable;
