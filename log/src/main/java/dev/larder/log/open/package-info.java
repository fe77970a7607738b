/** The code that runs under GATE, or reads a log that may be damaged: creation, opening, recovery, verification, closing. */
package dev.larder.log.open;
