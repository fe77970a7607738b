package dev.larder.lab.compare;

import dev.larder.cli.Figures;
import dev.larder.lab.report.Chart;
import dev.larder.lab.report.TextTable;
import java.util.List;

/**
 * One part of several results, laid over one another.
 *
 * @param charts with a curve or a group of bars for each result
 * @param title of the table
 * @param table the figures side by side, with ratios to the first result
 * @param rows the same as figures
 * @param missing what could not be compared, and why
 */
record Overlay(List<Chart> charts, String title, TextTable table, List<Figures> rows, List<String> missing) {}
