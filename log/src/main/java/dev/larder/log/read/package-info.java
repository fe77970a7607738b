/** Reading: forwards, backwards, by sequence and time, and waiting for the next record. */
package dev.larder.log.read;
