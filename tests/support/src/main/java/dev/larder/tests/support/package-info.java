/** What the tests of every module share. */
package dev.larder.tests.support;
