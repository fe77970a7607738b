/** Meters of the machine and of a process: time, memory, disturbances. */
package dev.larder.lab.machine;
