/** Access to the words, bytes and files that processes share: the index file, epochs, the table of processes. */
package dev.larder.map.shared;
