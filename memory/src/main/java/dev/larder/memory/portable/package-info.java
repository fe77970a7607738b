/** Files, locks and waiting by {@code java.nio} alone, on every platform; the fallback without native calls. */
package dev.larder.memory.portable;
