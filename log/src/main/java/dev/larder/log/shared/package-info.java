/** What touches a word or a byte that processes share: the control file, locks, slots, pins, the wake word. */
package dev.larder.log.shared;
