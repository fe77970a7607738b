/** Reading and changing entries by key: the lookup, the put, the state of each thread. */
package dev.larder.map.entry;
