/** Classes that the tests of all modules share. */
package dev.larder.tests.support;
