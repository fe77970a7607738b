/** Small programs that tests start as processes of their own, to share a queue. */
package dev.larder.tests.processes;
