/** The code between the claim of a record and its commit. */
package dev.larder.log.write;
