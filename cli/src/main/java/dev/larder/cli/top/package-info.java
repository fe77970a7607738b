/** The screen of all logs below a folder. */
package dev.larder.cli.top;
