/** Writers and tailers that tests start as processes of their own, and kill. */
package dev.larder.tests.crash;
