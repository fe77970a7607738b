/** Load on whatever speaks the Redis protocol: the experiment {@code load}, its driver, and private servers to try it on. */
package dev.larder.lab.redis;
