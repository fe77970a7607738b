/** Programs that write to a file system while it is shut down. */
package dev.larder.tests.shutdown;
