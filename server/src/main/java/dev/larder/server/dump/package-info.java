/** The bytes of {@code DUMP} and {@code RESTORE}: Redis' form of a value, its compression and its checksum. */
package dev.larder.server.dump;
