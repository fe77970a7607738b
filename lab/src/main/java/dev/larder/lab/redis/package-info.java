/** Load on servers of the Redis protocol: the experiment {@code load}, its driver, and private servers for tests. */
package dev.larder.lab.redis;
