/** The program that writes to a file system which is shut down under it. */
package dev.larder.tests.shutdown;
