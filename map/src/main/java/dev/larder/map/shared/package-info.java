/** What touches a word, a byte or a file that processes share: the index file, epochs, the table of processes. */
package dev.larder.map.shared;
