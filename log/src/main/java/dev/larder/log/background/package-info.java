/** Duties that may be late without harm; each guards itself. */
package dev.larder.log.background;
