/** Tables, charts and the page of a result. */
package dev.larder.lab.report;
