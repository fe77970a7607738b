/** The programs that tests start as processes of their own. */
package dev.larder.tests;
