/** The code that touches words and bytes shared by processes: the control file, locks, slots, pins, the wake word. */
package dev.larder.log.shared;
